/**
 * A `require` that loads some of Node's modules only when something of them is first used. One object stands for such a
 * module; a named import is a property of it.
 */
function requireWhenUsed(load, slow) {
  const standIns = new Map();

  function standIn(name) {
    let loaded;
    const module = () => {
      loaded ??= load(`node:${name}`);
      return loaded;
    };
    return new Proxy(
      {},
      {
        get: (_, key) => module()[key],
        set: (_, key, value) => Reflect.set(module(), key, value),
        has: (_, key) => Reflect.has(module(), key),
        ownKeys: () => Reflect.ownKeys(module()),
        getOwnPropertyDescriptor: (_, key) => {
          const descriptor = Reflect.getOwnPropertyDescriptor(module(), key);
          return descriptor && { ...descriptor, configurable: true };
        },
      },
    );
  }

  function requireIt(path) {
    const name = path.replace(/^node:/, '');
    if (!slow.includes(name)) return load(path);
    if (!standIns.has(name)) standIns.set(name, standIn(name));
    return standIns.get(name);
  }
  return Object.assign(requireIt, load);
}

// biome-ignore lint/suspicious/noGlobalAssign: in a bundle it is a parameter.
require = requireWhenUsed(require, SLOW_BUILTINS.split(' '));
