/** `in it`, `in the file`: the one file that was named before. */
export declare const inIt: RegExp;
