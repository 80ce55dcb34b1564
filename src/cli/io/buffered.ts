/** A listener that keeps what arrives until it is opened. */
export function buffered<T>() {
  const held: T[] = [];
  let listener: ((one: T) => void) | undefined;
  return {
    take: (one: T): void => (listener ? listener(one) : void held.push(one)),
    open(to: (one: T) => void): void {
      for (const one of held.splice(0)) to(one);
      listener = to;
    },
  };
}
