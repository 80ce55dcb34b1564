import type { WriteStream } from 'node:tty';
import { Box, render, Text, useCursor, useStdout } from 'ink';
import type { Drawn } from '../../frame.ts';
import { createLiveOutput, FRAME_END, FRAME_START } from '../../terminal/live-output.ts';

/** Draws the live area at the bottom of a terminal, and prints above it. */
export interface DrawLoop {
  /** Draws soon: at most 10 times a second. */
  redraw(): void;
  /** Draws in the next turn of the event loop, for example after a key. */
  redrawNow(): void;
  /** Prints into the scrollback above the live area. The text ends with a line break. */
  print(text: string): void;
  /** Removes the live area, before a stop or another program in the terminal. Nothing is drawn until `show`. */
  hide(): void;
  /** Draws again, below the text that was written meanwhile. */
  show(): void;
  /** Removes the live area for good. The cursor is below what was printed last. */
  close(): void;
}

export interface DrawLoopOptions {
  readonly terminal: WriteStream;
  readonly stdin: NodeJS.ReadStream;
  /** Writes to the terminal at once. */
  readonly write: (text: string) => void;
  readonly draw: () => Drawn;
  /** The terminal is xterm.js, which moves its cursor differently when it becomes narrower. */
  readonly isXtermJs: boolean;
}

/** Minimum time between two frames, in milliseconds. Keys draw immediately. */
const FRAME_MS = 100;
const NOTHING: Drawn = { lines: [] };

/** Starts drawing with an empty live area. */
export function openDrawLoop({ draw, ...target }: DrawLoopOptions): DrawLoop {
  const { terminal, write } = target;
  const frames = openFrames(target);
  let printed = '';
  let isHidden = false;
  let drawnMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;

  const stopTimers = () => {
    clearTimeout(timer);
    clearImmediate(soon);
    timer = undefined;
    soon = undefined;
  };
  const drawNow = () => {
    stopTimers();
    if (isHidden) return;
    drawnMs = performance.now();
    const text = printed;
    printed = '';
    frames.put(draw(), text);
  };
  const hide = () => {
    if (isHidden) return;
    drawNow();
    isHidden = true;
    frames.put(NOTHING);
    // An empty frame is one empty line.
    write('\u001b[1A\r');
  };
  terminal.on('resize', drawNow);

  return {
    redraw() {
      if (isHidden || timer || soon) return;
      timer = setTimeout(drawNow, Math.max(0, FRAME_MS - (performance.now() - drawnMs)));
    },
    redrawNow() {
      if (!isHidden) soon ??= setImmediate(drawNow);
    },
    print(text) {
      printed += text;
      if (!isHidden) soon ??= setImmediate(drawNow);
    },
    hide,
    show() {
      if (!isHidden) return;
      isHidden = false;
      // Ink expects the cursor one line below the start of its empty frame.
      write('\n');
      drawNow();
    },
    close() {
      hide();
      stopTimers();
      // Printed while another program had the terminal.
      if (printed !== '') write(printed);
      terminal.off('resize', drawNow);
      frames.close();
    },
  };
}

/** Renders frames with Ink. */
function openFrames({ terminal, stdin, write, isXtermJs }: Omit<DrawLoopOptions, 'draw'>) {
  const output = createLiveOutput(terminal, write, isXtermJs);
  let printAbove: (text: string) => void = write;
  const screen = (drawn: Drawn) => (
    <Screen
      drawn={drawn}
      onWriter={(writer) => {
        printAbove = writer;
      }}
    />
  );
  const ink = render(screen(NOTHING), {
    stdout: output as unknown as NodeJS.WriteStream,
    stdin,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
    maxFps: 0,
  });
  const show = (drawn: Drawn) => {
    output.drew(drawn);
    ink.rerender(screen(drawn));
  };
  return {
    /** Draws a frame; `above` is printed before it, once. */
    put(drawn: Drawn, above = '') {
      if (above === '') return show(drawn);
      output.write(FRAME_START);
      show(NOTHING);
      printAbove(above);
      show(drawn);
      output.write(FRAME_END);
    },
    close() {
      output.close();
      ink.unmount();
    },
  };
}

interface ScreenProps {
  readonly drawn: Drawn;
  readonly onWriter: (write: (text: string) => void) => void;
}

function Screen({ drawn: { lines, cursor }, onWriter }: ScreenProps) {
  const { write } = useStdout();
  const { setCursorPosition } = useCursor();
  onWriter(write);
  setCursorPosition(cursor);
  return (
    <Box flexDirection="column">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their position
        <Text key={index} wrap="truncate-end">
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  );
}
