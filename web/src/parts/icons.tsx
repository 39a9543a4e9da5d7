import type { JSX } from 'preact';

/** Drawn on 16 by 16, in the color of the surrounding text. */
const PATHS = {
  hook: ['M5 2.500v6a3.5 3.5 0 0 0 7 0V7', 'm9.8 8.8 2.2-2 2 2'],
  now: ['M8.5 1.5 3.5 9H8l-.5 5.500L12.5 7H8z'],
  sessions: ['M2.5 4h11M2.5 8h7M2.5 12h9'],
  search: ['M7 2.800a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.400z', 'm10.2 10.2 3.3 3.3'],
  rules: ['M8 1.8 3 3.600v4c0 3.2 2.1 5.4 5 6.6 2.9-1.2 5-3.4 5-6.600v-4z'],
  health: ['M1.8 8.500h2.900l1.8-5 3 9 1.8-4h2.9'],
  fleet: ['M2.5 2.800h11v4h-11zM2.5 9.200h11v4h-11z', 'M5 4.800h.01M5 11.200h.01'],
  theme: ['M8 2.500a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z', 'M8 5v6M10 5.600v4.8'],
  more: ['M3.5 8h.01M8 8h.01M12.5 8h.01'],
  ask: ['M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2z', 'M8 4.800v3.700M8 11.200v.01'],
  check: ['m3 8.5 3.2 3L13 4.8'],
  deny: ['M8 2.200a5.8 5.8 0 1 0 0 11.600A5.8 5.8 0 0 0 8 2.200z', 'm4 4 8 8'],
  cross: ['m4 4 8 8M12 4l-8 8'],
  copy: ['M5.5 5.500h7v7h-7z', 'M10.5 5.500v-2h-7v7h2'],
  right: ['m6 3.5 4.5 4.500L6 12.5'],
  up: ['m3.5 10 4.5-4.5 4.5 4.5'],
  down: ['m3.5 6 4.5 4.500L12.5 6'],
  plus: ['M8 3v10M3 8h10'],
  terminal: ['m3 4.5 3.5 3.500L3 11.500M8.5 12H13'],
  keys: ['M2 4.500h12v7H2z', 'M4.5 7h.01M7 7h.01M9.5 7h.01M11.8 7h.01M5 9.300h6'],
  bell: ['M4 11V7.500a4 4 0 0 1 8 0V11l1.2 1.500H2.800z', 'M6.8 14h2.4'],
  leave: ['M6.5 2.500h-3v11h3M7 8h6.500m-2.3-2.300L13.5 8l-2.3 2.3'],
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      {PATHS[name].map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
  );
}
