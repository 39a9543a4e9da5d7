/** Styles of a shared session. The page's policy contains their hash, so nothing can be added later. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --quiet: #5a6169; --line: #dfe1e0; --ground: #fbfbf9; --code: #f3f4f2;
  --denied: #b3261e; --allowed: #1a7a45; --waiting: #8f5600; font: 15px/1.5 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e7ea; --quiet: #a0a9b2; --line: #30363c; --ground: #14171a;
  --code: #22272c; --denied: #ff8f86; --allowed: #6fce97; --waiting: #f0b04a; } }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; background: var(--ground); color: var(--text); }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; border-top: 1px solid var(--line); padding-top: 1rem; }
h1, h2, p, summary { overflow-wrap: anywhere; }
summary { cursor: pointer; padding: .15rem 0; } .event { margin: .15rem 0 .15rem 1.1rem; } details > *:not(summary) { margin-left: 1.2rem; }
pre { background: var(--code); padding: .6rem; border-radius: 5px; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 13px/1.45 ui-monospace, monospace; }
.quiet { color: var(--quiet); } .denied, .failed, .out { color: var(--denied); } .allowed, .in { color: var(--allowed); }
.waiting, .unknown { color: var(--waiting); } .tool { font-weight: 600; } .said { border-left: 3px solid var(--line); padding-left: .8rem; white-space: pre-wrap; }
`;
