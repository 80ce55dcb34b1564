/** Calls a function when its result is first needed, and keeps the result: most commands need few of all schemas. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
