/** Calls a function when its result is first needed, and keeps the result: most commands need few of all schemas. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A function whose result is made once for each argument, and kept as long as the argument. */
export function oncePer<Of extends object, T>(make: (of: Of) => T): (of: Of) => T {
  const made = new WeakMap<Of, T>();
  return (of) => {
    const one = made.get(of) ?? make(of);
    made.set(of, one);
    return one;
  };
}
