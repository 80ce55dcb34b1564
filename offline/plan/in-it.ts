/** `in it`, `in the file`: the one file that was named before. */
export const inIt =
  /\b(in|of|to|from|inside|within) (?:it|the file|that file|this file|the same file|the database|the log)\b/i;

/** `show the file`: the one file that was named before. */
export const showIt =
  /^(\s*(?:show|print|display|read)(?: me)?) (?:the|this|that|the whole|the changed) file(?=\W*$)/i;
