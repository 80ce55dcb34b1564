/** The run that `/resume` continues: the newest parked one, or the newest one if that failed. @param runs Oldest first. */
export const newestResumable = <Run extends { readonly status: string }>(runs: readonly Run[]) =>
  runs.findLast(
    ({ status }, at) => status === 'parked' || (status === 'failed' && at === runs.length - 1),
  );
