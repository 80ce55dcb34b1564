/** The result of one search method for one task. */
export interface Outcome {
  /** Rank of the right agent, from 1; undefined if it is not among the hits. */
  readonly rank: number | undefined;
  /** Best score. */
  readonly top: number;
  /** Whether an agent of the set fits at all. */
  readonly isKnown: boolean;
}

export interface Figures {
  readonly recall_at_1: number;
  readonly recall_at_5: number;
  readonly mrr: number;
  /** How well the best score separates tasks that fit an agent from tasks that fit none. */
  readonly create_auroc?: number;
}

/** Recall and mean reciprocal rank over the tasks that fit an agent; AUROC where there are others. */
export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const known = outcomes.filter(({ isKnown }) => isKnown);
  const strange = outcomes.filter(({ isKnown }) => !isKnown);
  const mean = (value: (rank: number) => number) =>
    known.reduce((sum, { rank }) => sum + (rank === undefined ? 0 : value(rank)), 0) /
    (known.length || 1);
  return {
    recall_at_1: mean((rank) => (rank === 1 ? 1 : 0)),
    recall_at_5: mean((rank) => (rank <= 5 ? 1 : 0)),
    mrr: mean((rank) => 1 / rank),
    ...(strange.length > 0 && known.length > 0 && { create_auroc: auroc(known, strange) }),
  };
}

/** The probability that one of the first scores is higher than one of the others; ties count half. */
function auroc(high: readonly Outcome[], low: readonly Outcome[]): number {
  const all = [...high, ...low].sort((a, b) => a.top - b.top);
  let rankSum = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && all[to]?.top === all[from]?.top) to++;
    const rank = (from + to + 1) / 2;
    rankSum += rank * all.slice(from, to).filter(({ isKnown }) => isKnown).length;
    from = to;
  }
  const least = (high.length * (high.length + 1)) / 2;
  return (rankSum - least) / (high.length * low.length);
}
