/** What policy looks at in a tool call: the shape of the tools' own `Operation`. */
export interface Operation {
  readonly tool: string;
  /** `file_io.read`, `terminal.write`, `http_api.POST`. */
  readonly name: string;
  readonly tier: Tier;
  readonly paths: readonly {
    readonly path: string;
    readonly access: 'read' | 'write';
    readonly subtree?: boolean | undefined;
  }[];
  readonly content?: string | undefined;
  readonly inserted?: string | undefined;
  readonly url?: URL | undefined;
  readonly command?: Command | undefined;
  /** Hosts that the command may reach. */
  readonly network?: readonly URL[] | undefined;
  readonly service?: string | undefined;
  /** One short line for a person: what is touched. */
  readonly target: string;
}

/** All that it asks or may reach. */
export const urlsOf = ({ url, network = NONE }: Pick<Operation, 'url' | 'network'>) =>
  url === undefined ? network : [url, ...network];

const NONE: readonly URL[] = [];

/** 0 read, 1 write, 2 execute or change something remote, 3 spend. */
export type Tier = 0 | 1 | 2 | 3;

type Command = { readonly access: 'read' | 'write'; readonly cwd: string } & (
  | { readonly kind: 'argv'; readonly argv: readonly string[] }
  | { readonly kind: 'shell'; readonly text: string }
  | { readonly kind: 'python'; readonly code: string }
);
