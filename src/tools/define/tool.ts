import * as z from 'zod';
import { AppError } from '../../contract/errors.ts';
import type { Granted } from '../../contract/permissions/granted.ts';
import type { Access, Operation } from '../../contract/permissions/operation.ts';
import type { ToolDescription } from '../../contract/wire/chat.ts';
import type { Proxies } from '../../llm/http/proxies.ts';
import { once } from '../../platform/once.ts';
import type { Sandbox } from '../../runtime/sandbox/sandbox.ts';
import type { ResolveName } from '../web/addresses.ts';
import type { Service } from '../web/authorize.ts';
import { argumentIssues, type Cut, offerTool } from './offer.ts';
import type { Traits } from './traits.ts';

export interface FileState {
  /** Absolute, symbolic links resolved. */
  readonly path: string;
  readonly bytes: number;
  /** Of a file that is too large to be hashed: its size and times, as `stateAt` returns them. */
  readonly sha256: string;
}

/** The outcome of a call. `result` goes to the capsule; the rest goes into the run's record of files. */
export interface ToolOutput {
  readonly result: unknown;
  readonly read?: readonly FileState[];
  readonly wrote?: readonly WrittenFile[];
  /** Absolute paths of removed files. */
  readonly removed?: readonly string[];
}

export interface WrittenFile extends FileState {
  /** The path that the content had before, if the file was moved. */
  readonly movedFrom?: string | undefined;
}

/** How a call would change the one file that it writes. */
export interface FilePreview {
  /** SHA-256 of the content before, or `absent`. */
  readonly before: string;
  readonly after: string;
  /** In words, one line each: `changes 12 rows in orders`. */
  readonly changes: readonly string[];
  /** The files that it reads, absolute, symbolic links resolved. */
  readonly reads: readonly string[];
}

/** Everything that a call may use. Tools read no settings and no environment. */
export interface ToolContext {
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  /** The task of the user. Default: unknown. */
  readonly task?: string | undefined;
  /** Time limit of one call, in milliseconds. */
  readonly timeoutMs: number;
  /** Size limit of a result, in bytes. A cut result states the total size. */
  readonly maxOutputBytes: number;
  /** Memory limit of all processes of a call together, in bytes. Default: half of the machine's, at least 2 GiB. */
  readonly maxMemoryBytes?: number | undefined;
  readonly signal: AbortSignal;
  /** The same object for every call of an attempt. Default: the call shares nothing with others. */
  readonly attempt?: object | undefined;
  /** Whether a path (absolute, resolved) is protected. */
  isProtected(path: string, access: Access): boolean;
  /** The same for processes. Must be the same function for all calls: results are cached by it. Default: `isProtected`. */
  readonly isClosedToProcesses?: ToolContext['isProtected'] | undefined;
  /** Whether a file (absolute, resolved) may be Git configuration: its credentials are hidden. Default: none is. */
  readonly isGitConfig?: ((path: string) => boolean) | undefined;
  /** Whether a path (absolute, resolved) is granted. Default: all of the workspace is. */
  isGranted?(path: string, access: Access): boolean;
  /** The SHA-256 that a file must have when it is replaced; `absent` if it must not exist. */
  expected?(path: string): string | 'absent' | undefined;
  /** The SHA-256 of the content that it gets, as a question showed it; null or undefined if that is not known. */
  planned?(path: string): string | null | undefined;
  /** Origins of this machine or of private hosts that the user's settings allow: `http://127.0.0.1:8080`. */
  readonly privateOrigins: ReadonlySet<string>;
  /** The service whose credential the call uses. Default: none. */
  readonly service?: Service | undefined;
  /** Proxies for web requests. Default: none. */
  readonly proxies?: Proxies | undefined;
  /** Default: the system's resolver. */
  readonly resolveName?: ResolveName | undefined;
  /** Addresses of this machine, closed like loopback. Default: those of its interfaces, at each check. */
  readonly ownAddresses?: (() => readonly string[]) | undefined;
  /** Shows the person a notice, with `isOnce` only the first one with this text in a run. Default: nobody is there. */
  notice?(text: string, isOnce?: boolean): void;
  /** Gets the output of a process while it runs, both streams as they arrive. Default: nobody watches. */
  readonly onOutput?: ((text: string) => void) | undefined;
  /** PATH of child processes. Relative folders and those in the workspace are removed. Default: the system's folders. */
  readonly searchPath?: string | undefined;
  /** A folder of Capstan's that sandboxes do not show, absolute, for network proxies. Default: no call has network. */
  readonly ownFolder?: string | undefined;
  /** Paths outside the workspace that belong to its Git repository, absolute: processes may read them. Default: none. */
  readonly gitPaths?: readonly string[] | undefined;
  /** The person's name and address for commits, as a Git configuration file. Takes a trusted search path. Default: none. */
  readonly gitIdentity?: ((searchPath: string) => Promise<string | undefined>) | undefined;
  readonly sandbox: Sandbox;
}

/** A call with valid arguments: the decision and `perform` use the same values. */
export interface PreparedCall {
  readonly operation: Operation;
  /** Performs the call on a copy, before a person is asked. Missing if the new content is known without that. Throws as `perform`. */
  readonly preview?: ((context: ToolContext) => Promise<FilePreview>) | undefined;
  /** @throws AppError `TOOL_FAILED`, `TOOL_TIMED_OUT`, `WRITES_DISCARDED`, `HOME_DISCARDED`, `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_CHANGED`, `PLANTED_FILES_LEFT`, `CANCELLED`. */
  perform(context: ToolContext): Promise<ToolOutput>;
}

/** The operation of a recorded request; undefined if it is not the call of one of these tools. @throws AppError of refused arguments. */
export function operationIn(
  request: unknown,
  tools: ReadonlyMap<string, Pick<Tool, 'prepare'>>,
): Operation | undefined {
  const { tool = '', args } = (request ?? {}) as {
    readonly tool?: string;
    readonly args?: unknown;
  };
  return tools.get(tool)?.prepare(args).operation;
}

export interface Tool extends Traits {
  readonly gives: NonNullable<Traits['gives']>;
  /** Read by the model. */
  readonly description: string;
  /** JSON Schema of all arguments. */
  readonly parameters: Record<string, unknown>;
  /** The tool without the operations and arguments that this grant excludes. */
  offer(granted: Granted): ToolDescription;
  /**
   * @param granted Limits what an error mentions; called for an error only. The policy decides what is allowed. Default: everything.
   * @throws AppError `TOOL_ARGS_INVALID`, naming each field and what would work.
   */
  prepare(args: unknown, granted?: () => Granted): PreparedCall;
}

interface ToolDefinition<Schema extends z.ZodType> extends Traits {
  readonly description: string;
  /** Called when the schema is first needed. Must be strict: an unknown argument is an error. */
  readonly args: () => Schema;
  /** What a grant leaves of the tool. Default: all of it. */
  readonly cut?: (granted: Granted) => Cut;
  readonly operation: (args: z.output<Schema>) => Omit<Operation, 'tool'>;
  /** Default: the call has no preview. */
  readonly preview?: (args: z.output<Schema>) => PreparedCall['preview'];
  readonly perform: (args: z.output<Schema>, context: ToolContext) => Promise<ToolOutput>;
}

/** The first line of a text, as a target. */
export function targetLine(text: string): string {
  const line = (text.trim().split('\n', 1)[0] ?? '').trimEnd();
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

/** A word of a command or a path, as an argument: the system takes no NUL character. */
export const wordArg = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .refine((text) => !text.includes('\0'), 'must not contain a NUL character');

/** A path as an argument. */
export const pathArg = () => wordArg(4_096).min(1);

/** Turns a typed definition into a `Tool`. One schema validates the arguments, types `perform`, and describes the tool to the model. */
export function defineTool<Schema extends z.ZodType>(definition: ToolDefinition<Schema>): Tool {
  const { args: makeSchema, cut = () => ({}), operation, preview, perform, ...traits } = definition;
  const { name, description, gives = () => [] } = traits;
  const schemaOf = once(makeSchema);
  const parametersOf = once((): Record<string, unknown> => {
    const { $schema: _, ...rest } = z.toJSONSchema(schemaOf(), { io: 'input' });
    return rest;
  });
  const offer = (granted: Granted) =>
    offerTool({ name, description, parameters: parametersOf() }, cut(granted), granted.limits);
  return {
    ...traits,
    gives,
    get parameters() {
      return parametersOf();
    },
    offer,
    prepare(args, grantedBy = () => everything) {
      const parsed = schemaOf().safeParse(args);
      if (!parsed.success) {
        const granted = grantedBy();
        const issues = argumentIssues(parsed.error, args, cut(granted), offer(granted));
        throw new AppError('TOOL_ARGS_INVALID', { tool: name, issues });
      }
      return {
        operation: { tool: name, ...operation(parsed.data) },
        preview: preview?.(parsed.data),
        perform: (context) => perform(parsed.data, context),
      };
    },
  };
}

const everything: Granted = {
  can: () => true,
  hasShell: true,
  hasHosts: true,
  hasPaths: true,
  hasServices: true,
  limits: '',
};
