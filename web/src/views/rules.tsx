import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RuleView, RulesView as Shape } from '../../../src/daemon/web/shapes.ts';
import { has } from '../api.ts';
import { counted } from '../format.ts';
import { useAsked, useLive, useNow } from '../hooks.ts';
import { Await, Empty, Filter, Finder } from '../parts/bits.tsx';
import { Icon } from '../parts/icons.tsx';
import { Grants } from '../parts/rules/grants.tsx';
import { Learned } from '../parts/rules/learned.tsx';
import { Packs } from '../parts/rules/packs.tsx';
import { RuleDrawer } from '../parts/rules/rule-drawer.tsx';
import { RuleRow, sumOf } from '../parts/rules/rule-row.tsx';

const isList = has<Shape>('rules', 'packs');
const LOOK_MS = 10_000;
const TABS = [
  ['', 'Rules'],
  ['grants', 'Grants'],
  ['learned', 'Suggestions'],
] as const;

/** All active rules, your own first, then the packs; grants and suggested grants have their own tabs. */
export function RulesView({ tab, wanted }: { tab: string; wanted: string | null }): JSX.Element {
  const { state } = useLive();
  const now = useNow(LOOK_MS);
  const [changed, setChanged] = useState(0);
  const loaded = useAsked('/api/rules', isList, `${Math.floor(now / LOOK_MS)} ${changed}`);
  const isNew = tab === 'new';
  const view = loaded.state === 'there' ? (loaded.value.rules.find(({ id }) => id === wanted) ?? null) : null;
  // A paired device can read rules, but not edit them.
  const drawn = state.device === null && (isNew || (tab === 'rule' && wanted !== null));
  const again = () => setChanged(changed + 1);
  return (
    <div class={`rules ${drawn ? 'with-drawer' : ''}`}>
      <div class="rules-main">
        <Heading
          rules={loaded.state === 'there' ? loaded.value.rules : null}
          tab={tab}
          isLooking={state.device !== null}
        />
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
            {(lists) => <RuleLists view={lists} wanted={wanted} onChanged={again} />}
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
          onSaved={again}
        />
      )}
    </div>
  );
}

function Heading({
  rules,
  tab,
  isLooking,
}: {
  rules: readonly RuleView[] | null;
  tab: string;
  isLooking: boolean;
}): JSX.Element {
  const at = tab === 'grants' || tab === 'learned' ? tab : '';
  return (
    <>
      <div class="head">
        <h1>Rules</h1>
        {rules && (
          <span class="quiet">
            {rules.length} active, {hitsOf(rules)} hits in 14 days
          </span>
        )}
        {!isLooking && (
          <a class="button right" href="#/rules/new">
            <Icon name="plus" /> New rule
          </a>
        )}
      </div>
      <nav class="tabs rules-tabs" aria-label="Rules and grants">
        {TABS.filter(([one]) => !isLooking || one !== 'learned').map(([one, words]) => (
          <a key={one} href={`#/rules${one && `/${one}`}`} aria-current={one === at ? 'page' : undefined}>
            {words}
          </a>
        ))}
      </nav>
    </>
  );
}

function hitsOf(rules: readonly RuleView[]): number {
  return rules.reduce((sum, { days }) => sum + sumOf(days), 0);
}

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
  const own = shown.filter(isOwn);
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
          Partly enforced
        </Filter>
      </div>
      <OwnRules rules={own} isFiltered={own.length < rules.filter(isOwn).length} wanted={wanted} />
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

const isOwn = ({ pack }: RuleView): boolean => pack === null;

function OwnRules({
  rules,
  isFiltered,
  wanted,
}: {
  rules: readonly RuleView[];
  isFiltered: boolean;
  wanted: string | null;
}): JSX.Element {
  return (
    <>
      <div class="head sub">
        <h2>Your rules</h2>
        <span class="quiet sm">{counted(rules.length, 'rule')}</span>
      </div>
      <div class="box rule-list">
        {rules.length === 0 ? (
          <Empty title={isFiltered ? 'No matching rules.' : 'No rules of your own yet.'}>
            A rule denies calls, asks about them or allows them.{' '}
            <a class="link" href="#/rules/new">
              Create a rule
            </a>{' '}
            and test it on recent calls before you save it.
          </Empty>
        ) : (
          <>
            <div class="rule rule-head" aria-hidden="true">
              <span>Rule</span>
              <span>Action</span>
              <span>14 days</span>
              <span class="hits">Hits</span>
              <span class="reach">Enforced by</span>
            </div>
            <ul>
              {rules.map((rule) => (
                <RuleRow key={rule.id} rule={rule} marked={rule.id === wanted} />
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  );
}

function textOf({ id, pack, reason }: RuleView): string {
  return `${id} ${pack ?? ''} ${reason ?? ''}`.toLowerCase();
}
