import { posix } from 'node:path';

/** Names of files that a program runs or reads automatically, by program. */
const namesOf: Readonly<Record<string, string>> = {
  make: 'makefile gnumakefile',
  just: 'justfile',
  'Ruby tools': 'rakefile gemfile guardfile',
  Vagrant: 'vagrantfile',
  Jenkins: 'jenkinsfile',
  'a process manager': 'procfile',
  Docker:
    'dockerfile containerfile compose.yml compose.yaml docker-compose.yml docker-compose.yaml',
  Task: 'taskfile.yml taskfile.yaml',
  'npm and other JavaScript tools':
    'package.json nx.json turbo.json pnpm-workspace.yaml deno.json bunfig.toml tsconfig.json gulpfile.js gruntfile.js karma.conf.js',
  pytest: 'conftest.py pytest.ini',
  'Python and its tools':
    'setup.py setup.cfg pyproject.toml tox.ini noxfile.py sitecustomize.py usercustomize.py __main__.py manage.py fabfile.py tasks.py pixi.toml',
  Cargo: 'build.rs cargo.toml rust-toolchain rust-toolchain.toml',
  Go: 'go.mod',
  CMake: 'cmakelists.txt cmakepresets.json cmakeuserpresets.json',
  Meson: 'meson.build',
  Gradle:
    'build.gradle build.gradle.kts settings.gradle settings.gradle.kts init.gradle init.gradle.kts gradlew gradle-wrapper.properties',
  Maven: 'pom.xml mvnw',
  Ant: 'build.xml',
  Mix: 'mix.exs',
  'build tools': 'configure autogen.sh',
  Composer: 'composer.json',
  cron: 'crontab',
  'a web server': 'web.config',
  'AI coding tools': 'agents.md claude.md gemini.md warp.md',
  Nix: 'flake.nix shell.nix default.nix devenv.nix',
  Bazel: 'build build.bazel workspace workspace.bazel module.bazel',
  Swift: 'package.swift',
  'Azure Pipelines': 'azure-pipelines.yml azure-pipelines.yaml',
  'a build service':
    'bitbucket-pipelines.yml appveyor.yml cloudbuild.yaml cloudbuild.yml buildspec.yml codemagic.yaml netlify.toml vercel.json render.yaml wercker.yml codefresh.yml action.yml action.yaml',
  Devbox: 'devbox.json',
  Tilt: 'tiltfile',
  Earthly: 'earthfile',
  git: 'captainhook.json',
  Terragrunt: 'terragrunt.hcl',
  '.NET': 'nuget.config global.json',
  CocoaPods: 'podfile',
};

const programOf = (name: string): string | undefined =>
  Object.keys(namesOf).find((program) => namesOf[program]?.split(' ').includes(name));

/**
 * Files of a project that Capstan uses if it is started in the project's folder, and trusts it. The folder may be any: below
 * the top, where others have a folder `agents` too, the names of a capsule's files count.
 */
const ofCapstan =
  /^(agents|skills)\/.|(^|\/)(agents\/[^/]+\/(manifest\.json|skill\.md|(entrypoint|handlers|main)\.[^/]+)|skills\/[^/]+\.md)$/;

/** Endings of programs, units, and configuration that is code. */
const endings =
  /\.(sh|bash|zsh|fish|ksh|csh|ps1|psm1|bat|cmd|com|exe|msi|dll|so|dylib|app|jar|desktop|service|timer|socket|pth|plist|reg|vbs|wsf|scr|lnk|url|node|wasm|mk|gemspec|podspec|sbt|csproj|sln|targets|props)$|\.config\.[cm]?[jt]s$|rc\.[cm]?js$|^(mise|rtx)(\..*)?\.toml$|^lefthook(-local)?\.(ya?ml|toml|json)$/;

const programOfFolder: Readonly<Record<string, string>> = {
  '.github': 'GitHub',
  '.gitlab': 'GitLab',
  '.husky': 'git',
  '.vscode': 'the editor',
  '.idea': 'the editor',
  venv: 'Python',
  node_modules: 'Node.js',
  fastlane: 'fastlane',
};

/**
 * What runs or reads a file automatically because of its name: a dotfile, a file in a dot folder or one that programs use, a program, a name that a tool
 * knows, and capsules and skills of a project. Words for people; undefined for any other file.
 */
export function whatRuns(path: string): string | undefined {
  const parts = path.replaceAll('\\', '/').toLowerCase().split('/');
  const name = posix.basename(parts.join('/'));
  const hidden = parts.find((part) => part.startsWith('.') && part !== '.' && part !== '..');
  const folder = hidden ?? parts.find((part) => Object.hasOwn(programOfFolder, part));
  if (folder !== undefined) return programOfFolder[folder] ?? 'the program that it configures';
  if (ofCapstan.test(parts.join('/'))) return 'Capstan itself';
  return programOf(name) ?? (endings.test(name) ? 'the system or a tool' : undefined);
}
