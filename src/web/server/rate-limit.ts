/** Whether one more request is within the limit. A bucket of `burst` requests that fills at `perSecond`. */
export function createRateLimit(
  { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
  nowMs: () => number = () => performance.now(),
): () => boolean {
  let left = burst;
  let lastMs = nowMs();
  return () => {
    const at = nowMs();
    left = Math.min(burst, left + ((at - lastMs) / 1000) * perSecond);
    lastMs = at;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
