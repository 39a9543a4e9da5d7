import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PackView, RuleView, RulesView as Shape } from '../../../src/daemon/web-shapes.ts';
import { messageOf } from '../../../src/model/errors.ts';
import { has, post } from '../api.ts';
import { counted, ruleLink } from '../format.ts';
import { useAsked, useLive, useNow } from '../hooks.ts';
import { Await, Chip, Empty, Filter, Finder, Segments } from '../parts/bits.tsx';
import { Grants } from '../parts/grants.tsx';
import { Icon } from '../parts/icons.tsx';
import { Learned } from '../parts/learned.tsx';
import { ReachMarks } from '../parts/reach.tsx';
import { RuleDrawer } from '../parts/rule-drawer.tsx';
import { Spark } from '../parts/spark.tsx';

const isList = has<Shape>('rules', 'packs');
const isSwitched = has<{ packs: readonly PackView[] }>('packs');
const LOOK_MS = 10_000;
const MODES = [
  ['on', 'On'],
  ['observe', 'Observe'],
  ['off', 'Off'],
] as const;
const TABS = [
  ['', 'Rules'],
  ['grants', 'Grants'],
  ['learned', 'Learned from history'],
] as const;

/** All rules in force: one's own first, then the packs; and what was granted, and what could be. */
export function RulesView({ tab, wanted }: { tab: string; wanted: string | null }): JSX.Element {
  const { state } = useLive();
  const now = useNow(LOOK_MS);
  const [changed, setChanged] = useState(0);
  const loaded = useAsked('/api/rules', isList, `${Math.floor(now / LOOK_MS)} ${changed}`);
  const isNew = tab === 'new';
  const view = loaded.state === 'there' ? (loaded.value.rules.find(({ id }) => id === wanted) ?? null) : null;
  const drawn = isNew || (tab === 'rule' && wanted !== null);
  return (
    <div class={`rules ${drawn ? 'with-drawer' : ''}`}>
      <div class="rules-main">
        <div class="head">
          <h1>Rules</h1>
          {loaded.state === 'there' && (
            <span class="quiet">
              {loaded.value.rules.length} in force, {hitsOf(loaded.value.rules)} hits in 14 days
            </span>
          )}
          <a class="button right" href="#/rules/new">
            <Icon name="plus" /> New rule
          </a>
        </div>
        <nav class="tabs rules-tabs" aria-label="Rules and grants">
          {TABS.map(([one, words]) => (
            <a
              key={one}
              href={`#/rules${one && `/${one}`}`}
              aria-current={one === (tab === 'grants' || tab === 'learned' ? tab : '') ? 'page' : undefined}
            >
              {words}
            </a>
          ))}
        </nav>
        {state.about.problems.map(({ where, message }) => (
          <p key={`${where} ${message}`} class="trouble">
            {where}: {message}
          </p>
        ))}
        {tab === 'grants' ? (
          <Grants />
        ) : tab === 'learned' ? (
          <Learned />
        ) : (
          <Await loaded={loaded}>
            {(view) => <RuleLists view={view} wanted={wanted} onChanged={() => setChanged(changed + 1)} />}
          </Await>
        )}
      </div>
      {drawn && (
        <RuleDrawer
          key={`${tab} ${wanted}`}
          rule={isNew ? null : wanted}
          command={isNew ? wanted : null}
          view={view}
          isGone={loaded.state === 'there' && view === null}
          onSaved={() => setChanged(changed + 1)}
        />
      )}
    </div>
  );
}

function hitsOf(rules: readonly RuleView[]): number {
  return rules.reduce((sum, { days }) => sum + sumOf(days), 0);
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0);

interface ListsProps {
  readonly view: Shape;
  readonly wanted: string | null;
  readonly onChanged: () => void;
}

function RuleLists({ view, wanted, onChanged }: ListsProps): JSX.Element {
  const [text, setText] = useState('');
  const [only, setOnly] = useState<'hit' | 'partly' | null>(null);
  const { rules, packs } = view;
  const isHit = ({ days }: RuleView) => sumOf(days) > 0;
  const isPartly = ({ reach }: RuleView) => reach.some(({ level }) => level !== 'native');
  const shown = rules
    .filter((rule) => textOf(rule).includes(text.trim().toLowerCase()))
    .filter((rule) => only === null || (only === 'hit' ? isHit(rule) : isPartly(rule)));
  const own = shown.filter(({ pack }) => pack === null);
  return (
    <>
      <div class="tools">
        <Finder label="Filter rules" value={text} onInput={setText} />
        <Filter
          on={only === 'hit'}
          count={rules.filter(isHit).length}
          onToggle={() => setOnly(only === 'hit' ? null : 'hit')}
        >
          With hits
        </Filter>
        <Filter
          on={only === 'partly'}
          count={rules.filter(isPartly).length}
          onToggle={() => setOnly(only === 'partly' ? null : 'partly')}
        >
          Not fully followed
        </Filter>
      </div>
      <div class="head sub">
        <h2>Yours</h2>
        <span class="quiet sm">{counted(own.length, 'rule')}</span>
      </div>
      <div class="box rule-list">
        {own.length === 0 ? (
          <Empty
            title={
              rules.some(({ pack }) => pack === null) ? 'None of yours matches.' : 'No rule of your own yet.'
            }
          >
            A rule says what to deny, ask about or allow.{' '}
            <a class="link" href="#/rules/new">
              Write one
            </a>
            ; it is tried on what happened before it is saved.
          </Empty>
        ) : (
          <>
            <div class="rule rule-head" aria-hidden="true">
              <span>Rule</span>
              <span>Says</span>
              <span>14 days</span>
              <span class="hits">Hits</span>
              <span class="reach">Followed by</span>
            </div>
            <ul>
              {own.map((rule) => (
                <RuleRow key={rule.id} rule={rule} marked={rule.id === wanted} />
              ))}
            </ul>
          </>
        )}
      </div>
      <Packs
        packs={packs}
        rules={shown}
        wanted={wanted}
        filtered={text !== '' || only !== null}
        onChanged={onChanged}
      />
    </>
  );
}

function textOf({ id, pack, reason }: RuleView): string {
  return `${id} ${pack ?? ''} ${reason ?? ''}`.toLowerCase();
}

interface PacksProps extends Omit<ListsProps, 'view'> {
  readonly packs: readonly PackView[];
  readonly rules: readonly RuleView[];
  readonly filtered: boolean;
}

function Packs({ packs, rules, wanted, filtered, onChanged }: PacksProps): JSX.Element {
  const [note, setNote] = useState('');
  const count = (mode: PackView['mode']) => packs.filter((pack) => pack.mode === mode).length;
  async function choose(name: string, mode: PackView['mode']): Promise<void> {
    try {
      await post(`/api/packs/${encodeURIComponent(name)}`, { mode }, isSwitched);
      setNote(`${name} is ${mode === 'observe' ? 'only observing' : mode} from the next call on.`);
    } catch (error) {
      setNote(messageOf(error));
    }
    onChanged();
  }
  const shown = packs.filter(({ name }) => !filtered || rules.some(({ pack }) => pack === name));
  return (
    <section class="section" aria-labelledby="packs-title">
      <div class="head sub">
        <h2 id="packs-title">Packs</h2>
        <span class="quiet sm">
          come with Hookline, {count('on')} on, {count('observe')} observing, {count('off')} off
        </span>
      </div>
      <p role="status" class="sm">
        {note}
      </p>
      {[...shown]
        .sort((a, b) => Number(a.mode === 'off') - Number(b.mode === 'off'))
        .map((pack) => (
          <Pack
            key={pack.name}
            pack={pack}
            rules={rules.filter((rule) => rule.pack === pack.name)}
            wanted={wanted}
            filtered={filtered}
            onChoose={(mode) => void choose(pack.name, mode)}
          />
        ))}
    </section>
  );
}

interface PackProps {
  readonly pack: PackView;
  readonly rules: readonly RuleView[];
  readonly wanted: string | null;
  readonly filtered: boolean;
  readonly onChoose: (mode: PackView['mode']) => void;
}

function Pack({ pack, rules, wanted, filtered, onChoose }: PackProps): JSX.Element {
  const hasWanted = rules.some(({ id }) => id === wanted);
  const [open, setOpen] = useState(false);
  const [all, setAll] = useState(false);
  const days = Array.from({ length: 14 }, (_, at) =>
    rules.reduce((sum, rule) => sum + (rule.days[at] ?? 0), 0),
  );
  const isOpen = (open || hasWanted || filtered) && rules.length > 0;
  const sorted = [...rules].sort((a, b) => sumOf(b.days) - sumOf(a.days));
  const shown =
    all || filtered ? sorted : sorted.filter((rule) => sumOf(rule.days) > 0 || rule.id === wanted);
  return (
    <div class={`box pack ${pack.mode}`}>
      <div class="pack-head">
        <button
          type="button"
          class="pack-toggle"
          aria-expanded={isOpen}
          disabled={rules.length === 0}
          onClick={() => setOpen(!open)}
        >
          <Icon name={isOpen ? 'down' : 'right'} />
          <span>
            <b>{pack.name}</b> <span class="quiet sm">{counted(pack.rules, 'rule')}</span>
            <span class="summary">{pack.summary}</span>
          </span>
        </button>
        <Spark days={days} />
        <span class="hits">{sumOf(days) || ''}</span>
        <span
          class="pack-switch"
          title={pack.fixed ? 'What protects Hookline is switched in config.yaml only.' : undefined}
        >
          <Segments
            label={`The pack ${pack.name}`}
            name={`pack-${pack.name}`}
            value={pack.mode}
            options={MODES}
            disabled={pack.fixed}
            onChoose={onChoose}
          />
        </span>
      </div>
      {isOpen && (
        <ul>
          {shown.map((rule) => (
            <RuleRow key={rule.id} rule={rule} marked={rule.id === wanted} />
          ))}
          {shown.length < rules.length && (
            <li>
              <button type="button" class="more-rows" onClick={() => setAll(true)}>
                {counted(rules.length - shown.length, 'rule')} without hits
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

const LOOKS = { none: null, allow: 'allowed', deny: 'denied', ask: 'waiting' } as const;
const SAYS = { none: '', allow: 'Allow', deny: 'Deny', ask: 'Ask' } as const;
const EFFECTS: Readonly<Record<string, string>> = {
  modifyArgs: 'Change',
  context: 'Context',
  systemMessage: 'Notify',
  halt: 'Halt',
};

function RuleRow({ rule, marked }: { rule: RuleView; marked: boolean }): JSX.Element {
  const row = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (marked) row.current?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  const { id, layer, pack, observing, reason, decision, effects, days, reach } = rule;
  const says = SAYS[decision] || effects.map((one) => EFFECTS[one] ?? one).join(', ');
  return (
    <li>
      <a ref={row} class="rule" href={ruleLink(id)} aria-current={marked ? 'true' : undefined}>
        <span class="rule-name">
          <b>{id}</b> <span class="quiet sm">{pack === null ? (layer === 'user' ? 'you' : layer) : ''}</span>
          {observing && <span class="quiet sm"> only observing</span>}
          <span class="summary cut">{reason}</span>
        </span>
        <span>
          <Chip outcome={LOOKS[decision]}>{says}</Chip>
        </span>
        <Spark days={days} />
        <span class="hits">{sumOf(days) || <span class="zero">–</span>}</span>
        <ReachMarks reach={reach} />
      </a>
    </li>
  );
}
