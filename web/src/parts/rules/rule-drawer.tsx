import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DraftCheck, EditableRule, RuleView } from '../../../../src/daemon/web/shapes.ts';
import type { Row } from '../../../../src/history/calls/row.ts';
import { messageOf } from '../../../../src/model/errors.ts';
import { has, post } from '../../api.ts';
import { useAsked } from '../../hooks.ts';
import { Await, Segments } from '../bits.tsx';
import { Icon } from '../icons.tsx';
import { RowList } from '../row-list.tsx';
import { ReachList } from './reach.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { RuleTrial } from './rule-trial.tsx';

const isSource = has<EditableRule>('text', 'editable');
const isHits = has<{ rows: readonly Row[] }>('rows');
const isCheck = has<DraftCheck>('problems', 'examples');
const isSaved = has<{ rule: string }>('rule');
const TYPING_MS = 300;

interface DrawerProps {
  /** Null for a new one. */
  readonly rule: string | null;
  /** The command that a new rule starts from. */
  readonly command: string | null;
  readonly view: RuleView | null;
  /** The rules are loaded, and this one is not among them. */
  readonly isGone: boolean;
  readonly onSaved: () => void;
}

/** A rule as text: edited, checked while it is typed, and tested on recent calls. */
export function RuleDrawer({ rule, command, view, isGone, onSaved }: DrawerProps): JSX.Element {
  // The address can name any rule: only active rules are requested.
  const path = view === null ? null : `/api/rule-text?rule=${encodeURIComponent(view.id)}`;
  const loaded = useAsked(path, isSource);
  const close = () => {
    window.location.hash = '/rules';
  };
  const fresh: EditableRule = { text: template(command), where: 'own.yaml', editable: true };
  return (
    <aside class="drawer" aria-labelledby="drawer-title">
      {rule === null ? (
        <Draft source={fresh} rule={null} view={null} onSaved={onSaved} onClose={close} />
      ) : (
        <Await loaded={isGone ? { state: 'failed', message: `Unknown rule: ${rule}.` } : loaded}>
          {(source) => <Draft source={source} rule={rule} view={view} onSaved={onSaved} onClose={close} />}
        </Await>
      )}
    </aside>
  );
}

/** The text that a new rule starts with. */
function template(command: string | null): string {
  const about = JSON.stringify(command ?? 'npm install');
  return `id: ${command === null ? 'new-rule' : idFor(command)}\ncommand: ${about}\nask: Is this wanted?\ntests:\n  match: [${about}]\n`;
}

function idFor(command: string): string {
  const words = command.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, 3).join('-') || 'new-rule';
}

interface DraftProps extends Pick<DrawerProps, 'rule' | 'view' | 'onSaved'> {
  readonly source: EditableRule;
  readonly onClose: () => void;
}

/** A text that is checked shortly after each change. */
interface Drafting {
  readonly text: string;
  readonly check: DraftCheck | null;
  readonly note: string;
  readonly isGood: boolean;
  setText(text: string): void;
  save(text: string): Promise<void>;
}

function useDrafting({ source, rule, onSaved }: DraftProps): Drafting {
  const [text, setText] = useState(source.text);
  const [check, setCheck] = useState<DraftCheck | null>(null);
  const [note, setNote] = useState('');
  useEffect(() => {
    let gone = false;
    const timer = window.setTimeout(() => {
      post('/api/rules/check', { text, rule }, isCheck).then(
        (found) => gone || setCheck(found),
        (error: unknown) => gone || setNote(messageOf(error)),
      );
    }, TYPING_MS);
    return () => {
      gone = true;
      window.clearTimeout(timer);
    };
  }, [text]);
  async function save(given: string): Promise<void> {
    try {
      const { rule: id } = await post('/api/rules/save', { text: given, rule }, isSaved);
      setNote(`Saved. ${id} applies from the next call on.`);
      onSaved();
      if (id !== rule) window.location.hash = `/rules/rule/${encodeURIComponent(id)}`;
    } catch (error) {
      setNote(messageOf(error));
    }
  }
  return { text, check, note, isGood: check !== null && check.problems.length === 0, setText, save };
}

function Draft(props: DraftProps): JSX.Element {
  const { source, rule, view } = props;
  const drafting = useDrafting(props);
  const { text, check, isGood, setText } = drafting;
  return (
    <>
      <DraftHeader {...props} drafting={drafting} />
      <div class="drawer-body">
        <RuleEditor
          text={text}
          saved={source.text}
          editable={source.editable}
          problems={check?.problems ?? []}
          onInput={setText}
        />
        {!source.editable && (
          <p class="quiet sm">
            {view?.pack
              ? "This rule belongs to a pack and can't be edited. You can switch the pack."
              : "This rule can't be edited here."}
          </p>
        )}
        <Checks check={check} />
        {isGood && <RuleTrial text={text} rule={rule} decision={decisionIn(text)} />}
        {view && <LatestHits rule={view} />}
        {check && check.reach.length > 0 && (
          <section>
            <h3 class="label">Support by agent</h3>
            <ReachList reach={view?.reach ?? check.reach} />
          </section>
        )}
      </div>
      <DraftFooter editable={source.editable} drafting={drafting} />
    </>
  );
}

function DraftHeader({
  source,
  rule,
  onClose,
  drafting: { text, setText },
}: DraftProps & { drafting: Drafting }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <header>
      <div class="grow">
        <h2 id="drawer-title" ref={heading} tabIndex={-1}>
          {rule ?? 'New rule'}
        </h2>
        <p class="quiet sm">{source.where}</p>
      </div>
      {source.editable && (
        <Segments
          label="Rule mode"
          name="rule-mode"
          value={isObserving(text) ? 'observe' : 'on'}
          options={[
            ['on', 'On'],
            ['observe', 'Observe'],
          ]}
          onChoose={(mode) => setText(withMode(text, mode === 'observe'))}
        />
      )}
      <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
        <Icon name="cross" />
      </button>
    </header>
  );
}

function DraftFooter({ editable, drafting }: { editable: boolean; drafting: Drafting }): JSX.Element {
  const { text, isGood, note, save } = drafting;
  return (
    <footer>
      {editable && (
        <>
          <button type="button" class="button primary" disabled={!isGood} onClick={() => void save(text)}>
            Save rule
          </button>
          <button
            type="button"
            class="button"
            disabled={!isGood}
            onClick={() => void save(withMode(text, true))}
          >
            Save in observe mode
          </button>
        </>
      )}
      <span role="status" class="quiet sm right">
        {note || (editable ? 'applies from the next call on' : '')}
      </span>
    </footer>
  );
}

const isObserving = (text: string): boolean => /^mode: *observe\b/m.test(text);

function withMode(text: string, observe: boolean): string {
  const without = text.replace(/^mode:.*\n?/m, '');
  return observe ? `${without.trimEnd()}\nmode: observe\n` : without;
}

function decisionIn(text: string): string {
  const word = /^(deny|ask|allow):/m.exec(text)?.[1];
  return { deny: 'been denied', ask: 'needed approval', allow: 'been allowed' }[word ?? ''] ?? 'matched';
}

function Checks({ check }: { check: DraftCheck | null }): JSX.Element {
  if (check === null) return <p class="quiet sm">Checking…</p>;
  const { problems, examples } = check;
  return (
    <ul class="checks" aria-live="polite">
      {problems.map(({ line, message }) => (
        <li key={`${line} ${message}`} class="wrong">
          <Icon name="cross" />
          <span>
            {line !== null && `Line ${line}: `}
            {message}
          </span>
        </li>
      ))}
      {problems.length === 0 && (
        <li class="right-one">
          <Icon name="check" />
          <span>
            Valid.{' '}
            {examples.total > 0 &&
              `${examples.total - examples.failed.length} of ${examples.total} tests pass.`}
          </span>
        </li>
      )}
      {examples.failed.map((one) => (
        <li key={one} class="warned">
          <Icon name="ask" />
          <span>Failed test: {one}</span>
        </li>
      ))}
    </ul>
  );
}

/** The latest calls that the rule matched. */
function LatestHits({ rule }: { rule: RuleView }): JSX.Element | null {
  const path = `/api/rule-hits?rule=${encodeURIComponent(rule.id)}`;
  const loaded = useAsked(rule.hits > 0 ? path : null, isHits, rule.hits);
  if (rule.hits === 0) return null;
  return (
    <section>
      <h3 class="label">Latest hits</h3>
      <Await loaded={loaded}>{({ rows }) => <RowList rows={rows.slice(-8).reverse()} />}</Await>
    </section>
  );
}
