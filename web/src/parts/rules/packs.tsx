import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PackView, RuleView } from '../../../../src/daemon/web/shapes.ts';
import { has, post } from '../../api.ts';
import { counted } from '../../format.ts';
import { useLive, useNoted } from '../../hooks.ts';
import { Segments } from '../bits.tsx';
import { Icon } from '../icons.tsx';
import { RuleRow, sumOf } from './rule-row.tsx';
import { Spark } from './spark.tsx';

const isSwitched = has<{ packs: readonly PackView[] }>('packs');
const MODES = [
  ['on', 'On'],
  ['observe', 'Observe'],
  ['off', 'Off'],
] as const;

interface PacksProps {
  readonly wanted: string | null;
  readonly onChanged: () => void;
  readonly packs: readonly PackView[];
  readonly rules: readonly RuleView[];
  readonly filtered: boolean;
}

/** The rules shipped with Hookline, by pack. */
export function Packs({ packs, rules, wanted, filtered, onChanged }: PacksProps): JSX.Element {
  const [note, run] = useNoted(onChanged);
  const count = (mode: PackView['mode']) => packs.filter((pack) => pack.mode === mode).length;
  async function choose(name: string, mode: PackView['mode']): Promise<string> {
    await post(`/api/packs/${encodeURIComponent(name)}`, { mode }, isSwitched);
    return `${name} is ${mode === 'observe' ? 'in observe mode' : mode} from the next call on.`;
  }
  const shown = packs.filter(({ name }) => !filtered || rules.some(({ pack }) => pack === name));
  return (
    <section class="section" aria-labelledby="packs-title">
      <div class="head sub">
        <h2 id="packs-title">Packs</h2>
        <span class="quiet sm">
          {count('on')} on · {count('observe')} observe · {count('off')} off
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
            onChoose={(mode) => run(() => choose(pack.name, mode))}
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
      <PackHead
        pack={pack}
        days={days}
        isOpen={isOpen}
        isEmpty={rules.length === 0}
        onToggle={() => setOpen(!open)}
        onChoose={onChoose}
      />
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

interface HeadProps extends Pick<PackProps, 'pack' | 'onChoose'> {
  readonly days: readonly number[];
  readonly isOpen: boolean;
  /** A pack that is off has no active rules. */
  readonly isEmpty: boolean;
  readonly onToggle: () => void;
}

function PackHead({ pack, days, isOpen, isEmpty, onToggle, onChoose }: HeadProps): JSX.Element {
  const { device } = useLive().state;
  return (
    <div class="pack-head">
      <button type="button" class="pack-toggle" aria-expanded={isOpen} disabled={isEmpty} onClick={onToggle}>
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
        title={pack.fixed ? 'Self-protection can only be changed in config.yaml.' : undefined}
      >
        <Segments
          label={`Pack ${pack.name}`}
          name={`pack-${pack.name}`}
          value={pack.mode}
          options={MODES}
          disabled={pack.fixed || device !== null}
          onChoose={onChoose}
        />
      </span>
    </div>
  );
}
