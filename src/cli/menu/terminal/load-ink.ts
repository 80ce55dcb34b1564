/** Loads Ink, ready for the first frame. Called only before drawing, because it takes tens of milliseconds. */
export async function loadInk(): Promise<typeof import('ink')> {
  const ink = await import('ink');
  await (ink as { yogaReady?: Promise<void> }).yogaReady;
  return ink;
}
