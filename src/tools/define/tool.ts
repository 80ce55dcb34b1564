import * as z from 'zod';
import type { ToolDescription } from '../../contract/chat.ts';
import { AppError } from '../../contract/errors.ts';
import type { Granted } from '../../contract/granted.ts';
import type { Access, Operation } from '../../contract/operation.ts';
import type { Proxies } from '../../llm/http/proxies.ts';
import type { Sandbox } from '../../runtime/sandbox/sandbox.ts';
import type { ResolveName } from '../web/addresses.ts';
import type { Service } from '../web/authorize.ts';
import { argumentIssues, type Cut, offerTool } from './offer.ts';
import type { Traits } from './traits.ts';

export interface FileState {
  /** Absolute, symbolic links resolved. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a call did: `result` goes to the capsule, `read` and `wrote` into the run's record of files. */
export interface ToolOutput {
  readonly result: unknown;
  readonly read?: readonly FileState[];
  readonly wrote?: readonly WrittenFile[];
  /** Files that are gone: absolute paths. */
  readonly removed?: readonly string[];
}

export interface WrittenFile extends FileState {
  /** The path that the content had before, if the file was moved. */
  readonly movedFrom?: string;
}

/** What a call would make of the one file that it writes. */
export interface FilePreview {
  /** SHA-256 of the content before, or `absent`. */
  readonly before: string;
  readonly after: string;
  /** In words, one line each: `changes 12 rows in orders`. */
  readonly changes: readonly string[];
}

/** What a call may use. Everything it needs is here: tools read no setting and no environment. */
export interface ToolContext {
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  /** The task of the user. Default: not known. */
  readonly task?: string | undefined;
  /** Longest time of one call, in milliseconds. */
  readonly timeoutMs: number;
  /** Most that a call may answer with, in bytes; what is cut is said with the total size. */
  readonly maxOutputBytes: number;
  /** Most that all processes of a call may hold of memory together, in bytes. Default: half of the machine's, 2 GiB at least. */
  readonly maxMemoryBytes?: number | undefined;
  readonly signal: AbortSignal;
  /** The same object for every call of an attempt. Left out: the call shares nothing with others. */
  readonly attempt?: object | undefined;
  /** True where a path (absolute, resolved) may not be touched. */
  isProtected(path: string, access: Access): boolean;
  /** The same for a process; one and the same function for all calls, which saves looking again. Default: what is protected. */
  readonly isClosedToProcesses?: ToolContext['isProtected'] | undefined;
  /** True where a file (absolute, resolved) may be Git's configuration: its credentials are left out. Left out: none is. */
  readonly isGitConfig?: ((path: string) => boolean) | undefined;
  /** False where the grant does not reach a path (absolute, resolved). Left out: all of the workspace is granted. */
  isGranted?(path: string, access: Access): boolean;
  /** SHA-256 that a file must still have at the moment it is replaced; `absent` where it must not exist. */
  expected?(path: string): string | 'absent' | undefined;
  /** Origins of this machine or of private hosts that the person's own settings allow: `http://127.0.0.1:8080`. */
  readonly privateOrigins: ReadonlySet<string>;
  /** The service in whose name the call is made, with its credential. Left out: it is made in nobody's. */
  readonly service?: Service | undefined;
  /** What requests of the web go through. Default: nothing. */
  readonly proxies?: Proxies | undefined;
  /** Default: as the system resolves names. */
  readonly resolveName?: ResolveName | undefined;
  /** Addresses of this machine, closed as loopback is. Default: those of its interfaces, looked up at each check. */
  readonly ownAddresses?: (() => readonly string[]) | undefined;
  /** Tells the person what they should know beside the answer. Left out: nobody is there. */
  notice?(text: string): void;
  /** PATH of child processes. Default: the system's folders. Relative folders and those in the workspace are left out. */
  readonly searchPath?: string | undefined;
  /** A folder of Capstan's own that no sandbox shows, absolute: it holds the way out of a call with network. Left out: no call has any. */
  readonly ownFolder?: string | undefined;
  /** Of the Git repository that the workspace is part of, what lies outside it, absolute: processes may read it. Default: none. */
  readonly gitPaths?: readonly string[] | undefined;
  /** What child processes are started in. */
  readonly sandbox: Sandbox;
}

/** Arguments that passed the schema, ready to be decided on and then performed: the same values. */
export interface PreparedCall {
  readonly operation: Operation;
  /** Performs the call on a copy, before a person is asked. Left out: what it writes is known without that. Throws as `perform`. */
  readonly preview?: ((context: ToolContext) => Promise<FilePreview>) | undefined;
  /** @throws AppError `TOOL_FAILED`, `TOOL_TIMED_OUT`, `WRITES_DISCARDED`, `HOME_DISCARDED`, `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `FILE_CHANGED`, `PLANTED_FILES_LEFT`, `CANCELLED`. */
  perform(context: ToolContext): Promise<ToolOutput>;
}

export interface Tool extends Traits {
  readonly gives: NonNullable<Traits['gives']>;
  /** Read by the model. */
  readonly description: string;
  /** JSON Schema of all arguments. */
  readonly parameters: Record<string, unknown>;
  /** The tool as a capsule with this grant gets it: without the operations and arguments that it can't use. */
  offer(granted: Granted): ToolDescription;
  /**
   * @param granted Limits what an error names; the policy decides what is allowed. Default: everything is named.
   * @throws AppError `TOOL_ARGS_INVALID`, naming each field and what would work.
   */
  prepare(args: unknown, granted?: Granted): PreparedCall;
}

export interface ToolDefinition<Schema extends z.ZodType> extends Traits {
  readonly description: string;
  /** Called when the schema is first needed. Strict: an argument that is not known is an error. */
  readonly args: () => Schema;
  /** What a grant leaves of it. Default: all of it. */
  readonly cut?: (granted: Granted) => Cut;
  readonly operation: (args: z.output<Schema>) => Omit<Operation, 'tool'>;
  /** Default, also if it returns undefined: the call has no preview. */
  readonly preview?: (args: z.output<Schema>) => PreparedCall['preview'];
  readonly perform: (args: z.output<Schema>, context: ToolContext) => Promise<ToolOutput>;
}

/** Seals a typed definition into a `Tool`. The one schema validates, types `perform`, and teaches the model. */
export function defineTool<Schema extends z.ZodType>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, cut = () => ({}) } = definition;
  const { effects, operations, gives = () => [], forNewCapsules, words, remembers } = definition;
  let made: Schema | undefined;
  const schema = () => {
    made ??= definition.args();
    return made;
  };
  let parameters: Record<string, unknown> | undefined;
  const wholeSchema = () => {
    if (parameters === undefined) {
      const { $schema: _, ...rest } = z.toJSONSchema(schema(), { io: 'input' });
      parameters = rest;
    }
    return parameters;
  };
  const offer = (granted: Granted) =>
    offerTool({ name, description, parameters: wholeSchema() }, cut(granted), granted.limits);
  return {
    name,
    effects,
    operations,
    gives,
    forNewCapsules,
    words,
    remembers,
    description,
    get parameters() {
      return wholeSchema();
    },
    offer,
    prepare(args, granted = everything) {
      const parsed = schema().safeParse(args);
      if (!parsed.success) {
        const offered = { cut: cut(granted), offered: offer(granted) };
        const issues = argumentIssues(parsed.error, args, offered);
        throw new AppError('TOOL_ARGS_INVALID', { tool: name, issues });
      }
      return {
        operation: { tool: name, ...definition.operation(parsed.data) },
        preview: definition.preview?.(parsed.data),
        perform: (context) => definition.perform(parsed.data, context),
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
