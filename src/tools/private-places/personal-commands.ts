import { basename } from 'node:path/posix';

/** A command whose purpose is to change something in the home of the user. */
interface PersonalCommand {
  readonly program: RegExp;
  /** The words after the program that make it one. */
  readonly words: RegExp;
  /** Where it writes: it made a change if one of them exists afterwards. Empty: it made a change if it succeeded. */
  readonly places: readonly string[];
}

/** @param places Separated by blanks. */
const of = (program: RegExp, words: RegExp, places = ''): PersonalCommand => ({
  program,
  words,
  places: places === '' ? [] : places.split(' '),
});

const personalCommands: readonly PersonalCommand[] = [
  of(
    /^git$/,
    /\bconfig\b.* --global\b|\blfs install\b|\bmaintenance (?:start|register)\b/,
    '~/.gitconfig ~/.config/git/config',
  ),
  of(
    /^git$/,
    /\bcredential(?:-store)? (?:approve|store)\b/,
    '~/.git-credentials ~/.config/git/credentials',
  ),
  of(/^p?npm$/, /\b(?:set|config|c|login|adduser)\b/, '~/.npmrc ~/.config/pnpm'),
  of(
    /^(?:yarn|bun)$/,
    /\b(?:config|login|global|add (?:-g|--global))\b/,
    '~/.yarnrc ~/.config/yarn ~/.bun/bin',
  ),
  of(
    /^pip[\d.]*$/,
    /\bconfig\b|\binstall\b.* --user\b/,
    '~/.config/pip ~/.pip ~/.local/lib ~/.local/bin',
  ),
  of(
    /^(?:pipx|uv|poetry|conda)$/,
    /\b(?:install|tool|config)\b/,
    '~/.local/bin ~/.config/pypoetry ~/.condarc',
  ),
  of(/^(?:gh|glab)$/, /\b(?:config|auth|alias|extension)\b/, '~/.config/gh ~/.config/glab-cli'),
  of(/^ssh-(?:keygen|keyscan|copy-id)$/, /^/, '~/.ssh'),
  of(
    /^gpg2?$/,
    /--(?:import|(?:full-|quick-)?gen(?:erate)?-key|delete|edit-key|sign-key)/,
    '~/.gnupg',
  ),
  of(/^(?:docker|podman)$/, /\b(?:login|context)\b/, '~/.docker ~/.config/containers'),
  of(
    /^(?:aws|gcloud|az|kubectl|helm)$/,
    /\b(?:configure|config|auth|login|repo)\b/,
    '~/.aws ~/.config/gcloud ~/.azure ~/.kube/config ~/.config/helm',
  ),
  of(
    /^(?:cargo|rustup|go)$/,
    /\b(?:install|login|toolchain|default)\b|\benv\b.* -w\b/,
    '~/.cargo/bin ~/.cargo/credentials ~/.rustup ~/go/bin ~/.config/go',
  ),
  of(
    /^(?:gem|bundle|composer|dotnet|deno)$/,
    /\b(?:install|config|global|tool)\b/,
    '~/.gem ~/.local/share/gem ~/.bundle/config ~/.composer ~/.config/composer ~/.dotnet/tools ~/.deno/bin',
  ),
  of(
    /^(?:dconf|gsettings|xdg-mime|xdg-settings)$/,
    /\b(?:write|set|reset|default)\b/,
    '~/.config/dconf ~/.config/mimeapps',
  ),
  of(
    /^(?:p?npm|yarn|bun|pip[\d.]*|uv|composer|go|cargo)$/,
    /\bcache (?:clean|clear|purge|prune|remove|rm)\b|\bstore prune\b|\bclean\b.* -\w*cache\b/,
  ),
  of(/^crontab$/, /^(?!.*-l\b)/),
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
      if (at === -1) return false;
      const isRun = places.length > 0 || all.slice(0, at).every((word) => before.test(word));
      const rest = isRun ? all.slice(at + 1).join(' ') : '';
      return isRun && words.test(rest.slice(0, MAX_WORDS_CHARS));
    }),
  );
}
