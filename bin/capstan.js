#!/usr/bin/env node
process.env.NODE_ENV = process.env.NODE_ENV || 'production';

const fs = require('node:fs');
const path = require('node:path');

const dist = path.join(__dirname, '..', 'dist');

/** Synchronous and without opening `process.stdout`, which costs a start more than the answer itself. */
function print(fd, text) {
  try {
    fs.writeSync(fd, text);
  } catch (error) {
    if (error.code === 'EAGAIN') (fd === 1 ? process.stdout : process.stderr).write(text);
    else if (error.code !== 'EPIPE') throw error;
  }
}

function refuse(text) {
  print(2, text);
  process.exitCode = 2;
}

/** What the build wrote down for us: version, help, and the bundle's identity. */
function readTexts() {
  try {
    return JSON.parse(fs.readFileSync(path.join(dist, 'launcher.json'), 'utf8'));
  } catch (_error) {
    return undefined;
  }
}

function isOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major < 20 || (major === 20 && minor < 20);
}

/** Whether somebody is there to converse with. */
function isConversation() {
  const { isatty } = require('node:tty');
  return !process.env.CI && isatty(0) && isatty(1);
}

/** Whether stdin is a pipe or a file: somebody may mean it as the task. */
function isPiped() {
  return !require('node:tty').isatty(0) && !fs.fstatSync(0).isCharacterDevice();
}

/** Answers what needs no program. */
function answer(texts, argv) {
  if (argv.length > 1) return false;
  if (['--version', '-V'].includes(argv[0])) print(1, texts.version);
  else if (['--help', '-h', 'help'].includes(argv[0])) print(1, texts.help);
  else if (argv.length === 0 && !isConversation() && !isPiped()) print(1, texts.help);
  else return false;
  return true;
}

function launch(argv) {
  if (isOldNode()) {
    return refuse(`Capstan needs Node.js 20.20 or newer; this is ${process.version}.\n`);
  }
  const texts = readTexts();
  if (!texts) {
    return refuse('Capstan is not built yet: run `npm ci && npm run build` in its folder.\n');
  }
  if (!answer(texts, argv)) require('./start.js').start(dist, texts.bundle, argv);
}

launch(process.argv.slice(2));
