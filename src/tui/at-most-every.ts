/** Does the work soon after it is wanted; however often that is, at most once in so many ms. */
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
