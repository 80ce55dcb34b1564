/** The singular of a noun in lower case, by its spelling. */
export declare function singular(word: string): string;
/** The words of a name such as `BillingCountry`, `temp_max` or `Order Date`, in lower case and in the singular. */
export declare const nameWords: (name: string) => string[];
/** Edits that turn one word into another: insertions, deletions, replacements. */
export declare function editDistance(a: string, b: string): number;
/** Names that a word may be a slip of the pen for, nearest first, at most three. */
export declare function nearNames(word: string, names: readonly string[]): string[];
