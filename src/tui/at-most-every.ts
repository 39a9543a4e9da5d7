/** Runs the work soon after a request, at most once per interval. */
export function atMostEvery(ms: number, work: () => void): { soon(): void; close(): void } {
  let timer: NodeJS.Timeout | null = null;
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = null;
        work();
      }, ms);
    },
    close() {
      if (timer) clearTimeout(timer);
    },
  };
}
