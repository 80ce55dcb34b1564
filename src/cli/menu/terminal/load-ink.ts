/** Loads what draws, ready for the first frame. Only what draws calls it: it takes tens of milliseconds. */
export async function loadInk(): Promise<typeof import('ink')> {
  const ink = await import('ink');
  await (ink as { yogaReady?: Promise<void> }).yogaReady;
  return ink;
}
