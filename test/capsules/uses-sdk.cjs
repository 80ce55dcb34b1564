// A capsule on the SDK, with one handler for each thing that a handler can do.
const { start, TaskError } = require(process.env.CAPSTAN_SDK);

const handlers = {
  async greet({ task, input, progress, remember, artifact }) {
    progress('half way', 0.5);
    console.log('this goes to stderr');
    remember('the person is polite');
    artifact('greeting.md');
    return { text: `Hello, ${input.name ?? task}!`, data: { letters: 5 } };
  },
  async together({ call }) {
    const names = Array.from({ length: 10 }, (_, i) => `tool-${i}`);
    return { text: 'all', data: await Promise.all(names.map((name) => call(name, {}, 'try'))) };
  },
  async stubborn({ call }) {
    try {
      await call('broken', {}, 'try');
    } catch (error) {
      return `${error.name} ${error.code}: ${error.message}`;
    }
    return 'unexpected';
  },
  helpless: ({ call }) => call('broken', {}, 'try'),
  async thinks({ chat }) {
    const { text } = await chat({ messages: [{ role: 'user', content: 'why?' }] }, 'to know');
    return text;
  },
  async gives_up() {
    throw new TaskError('NOT_FOUND', 'there is no such file');
  },
  async breaks() {
    return undefined.length;
  },
  async says_nothing() {
    return 42;
  },
  async spreads({ call, artifact, remember }) {
    for (let i = 0; i < 50; i += 1) {
      remember(`${i} ${'x'.repeat(5_000)}`);
      artifact('same.md');
    }
    await call('big', { text: 'y'.repeat(300_000) }, 'r'.repeat(5_000));
    return 'z'.repeat(1_000_000);
  },
  async waits() {
    await new Promise(() => {});
    return '';
  },
};

start({ handlers: () => handlers });
