import { basename } from 'node:path/posix';

/** A command whose purpose is to change something in the home of the user. */
interface PersonalCommand {
  readonly program: RegExp;
  /** The words after the program that make it one. */
  readonly words: RegExp;
  /** Where it writes: it made a change if one of them exists afterwards. Empty: it made a change if it succeeded. */
  readonly places: readonly string[];
}

const personalCommands: readonly PersonalCommand[] = [
  {
    program: /^git$/,
    words: /\bconfig\b.* --global\b|\blfs install\b|\bmaintenance (?:start|register)\b/,
    places: ['~/.gitconfig', '~/.config/git/config'],
  },
  {
    program: /^git$/,
    words: /\bcredential(?:-store)? (?:approve|store)\b/,
    places: ['~/.git-credentials', '~/.config/git/credentials'],
  },
  {
    program: /^p?npm$/,
    words: /\b(?:set|config|c|login|adduser)\b/,
    places: ['~/.npmrc', '~/.config/pnpm'],
  },
  {
    program: /^(?:yarn|bun)$/,
    words: /\b(?:config|login|global|add (?:-g|--global))\b/,
    places: ['~/.yarnrc', '~/.config/yarn', '~/.bun/bin'],
  },
  {
    program: /^pip[\d.]*$/,
    words: /\bconfig\b|\binstall\b.* --user\b/,
    places: ['~/.config/pip', '~/.pip', '~/.local/lib', '~/.local/bin'],
  },
  {
    program: /^(?:pipx|uv|poetry|conda)$/,
    words: /\b(?:install|tool|config)\b/,
    places: ['~/.local/bin', '~/.config/pypoetry', '~/.condarc'],
  },
  {
    program: /^(?:gh|glab)$/,
    words: /\b(?:config|auth|alias|extension)\b/,
    places: ['~/.config/gh', '~/.config/glab-cli'],
  },
  { program: /^ssh-(?:keygen|keyscan|copy-id)$/, words: /^/, places: ['~/.ssh'] },
  {
    program: /^gpg2?$/,
    words: /--(?:import|(?:full-|quick-)?gen(?:erate)?-key|delete|edit-key|sign-key)/,
    places: ['~/.gnupg'],
  },
  {
    program: /^(?:docker|podman)$/,
    words: /\b(?:login|context)\b/,
    places: ['~/.docker', '~/.config/containers'],
  },
  {
    program: /^(?:aws|gcloud|az|kubectl|helm)$/,
    words: /\b(?:configure|config|auth|login|repo)\b/,
    places: ['~/.aws', '~/.config/gcloud', '~/.azure', '~/.kube/config', '~/.config/helm'],
  },
  {
    program: /^(?:cargo|rustup|go)$/,
    words: /\b(?:install|login|toolchain|default)\b|\benv\b.* -w\b/,
    places: ['~/.cargo/bin', '~/.cargo/credentials', '~/.rustup', '~/go/bin', '~/.config/go'],
  },
  {
    program: /^(?:gem|bundle|composer|dotnet|deno)$/,
    words: /\b(?:install|config|global|tool)\b/,
    places: [
      ...['~/.gem', '~/.local/share/gem', '~/.bundle/config', '~/.composer', '~/.config/composer'],
      ...['~/.dotnet/tools', '~/.deno/bin'],
    ],
  },
  {
    program: /^(?:dconf|gsettings|xdg-mime|xdg-settings)$/,
    words: /\b(?:write|set|reset|default)\b/,
    places: ['~/.config/dconf', '~/.config/mimeapps'],
  },
  {
    program: /^(?:p?npm|yarn|bun|pip[\d.]*|uv|composer|go|cargo)$/,
    words:
      /\bcache (?:clean|clear|purge|prune|remove|rm)\b|\bstore prune\b|\bclean\b.* -\w*cache\b/,
    places: [],
  },
  { program: /^crontab$/, words: /^(?!.*-l\b)/, places: [] },
];

/** The patterns backtrack over what follows the program. */
const MAX_WORDS_CHARS = 1_000;

/** Words that may stand before the program of a command. */
const before = /^(?:|(?:ba|da|z)?sh|-l?c|sudo|env|time|command|exec|python[\d.]*|-m|\w+=.*)$/;

/** The commands in a text whose purpose is to change the home. */
export function personalCommandsIn(text: string): readonly PersonalCommand[] {
  const commands = text.split(/[;&|\n]+/).map((part) => part.split(/[\s"'`,()[\]]+/));
  return personalCommands.filter(({ program, words, places }) =>
    commands.some((all) => {
      const at = all.findIndex((word) => program.test(basename(word)));
      const isRun = places.length > 0 || all.slice(0, at).every((word) => before.test(word));
      return (
        at !== -1 &&
        isRun &&
        words.test(
          all
            .slice(at + 1)
            .join(' ')
            .slice(0, MAX_WORDS_CHARS),
        )
      );
    }),
  );
}
