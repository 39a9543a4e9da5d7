/** Open resources. Daemons outlive the bench, and a long history takes gigabytes. */
const open = new Set();
const SIGNALS = { SIGINT: 130, SIGTERM: 143 };

/**
 * Makes a function that closes something once, whether it is called or the bench is interrupted.
 *
 * @param {() => unknown} close
 */
export function closesOnce(close) {
  if (open.size === 0) for (const signal of Object.keys(SIGNALS)) process.on(signal, closeAll);
  const once = () => {
    if (!open.delete(once)) return null;
    if (open.size === 0) for (const signal of Object.keys(SIGNALS)) process.off(signal, closeAll);
    return close();
  };
  open.add(once);
  return once;
}

async function closeAll(signal) {
  for (const close of [...open]) await close();
  process.exit(SIGNALS[signal]);
}
