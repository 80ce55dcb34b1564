import { describe, expect, it } from 'vitest';
import { startCpuClock } from '../../../test/setup/cpu-clock.ts';
import { hideGitCredentials } from './shown-copy.ts';

const harmless = `[core]
	repositoryformatversion = 0
	worktree = "../a b"
[remote "origin"]
	url = https://github.com/acme/shop.git
	pushurl = git@github.com:acme/shop.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[remote "ssh"]
	url = ssh://git@github.com:22/acme/shop.git
[remote "more"]
	url = https://git.example.com:8443/scm/~ada@corp/x.git
	url = ssh://git@github.com:22/acme/x@y.git
	url = git@[::1]:acme/shop.git
	url = https://example.com/x.git?depth=1&keyword
	fetch = +refs/heads/ada@corp/*:refs/remotes/ada@corp/*
[core]
	sshCommand = ssh -i ~/.ssh/id_work -p 2222 -o IdentitiesOnly=yes
[user]
	signingKey = 0A1B2C3D
[includeIf "gitdir:~/ada@corp/"]
	path = corp.inc
[branch "token-fix"]
	remote = origin
[user]
	email = ada@example.com
[include]
	path = more.inc
[alias]
	sees = "!f() { git show \\
		--stat; }; f"
`;

describe('a copy of a Git configuration', () => {
  it('is unchanged if it contains no credential', () => {
    expect(hideGitCredentials(harmless)).toBe(harmless);
    expect(hideGitCredentials('')).toBe('');
  });

  it.each([
    ['a header', '[http]\n\textraheader = AUTHORIZATION: basic S3CRET\n'],
    ['a header in another case', '[HTTP]\n  ExtraHeader=Authorization: Basic S3CRET'],
    ['a header of one host', '[http "https://github.com/"]\n\textraHeader = x: S3CRET\n'],
    ['a header in the line of its section', '[http] extraheader = X: S3CRET\n'],
    [
      'a header in the line of a section with a bracket in its name',
      '[http "https://a/]"] extraheader = S3CRET\n',
    ],
    ['a header with a line end of Windows', '[http]\r\n\textraheader = S3CRET\r\n'],
    ['a header over two lines', '[http]\n\textraheader = \\\n  S3CRET\n'],
    ['a header after a comment that ends with a backslash', '# x \\\nextraheader = S3CRET\n'],
    ['a header in a comment', '[http]\n;\textraheader = S3CRET\n'],
    ['a password in a URL', '[remote "o"]\n\turl = https://ada:S3CRET@example.com/x.git\n'],
    ['a token in a URL', '[remote "o"]\n\turl = https://S3CRET@github.com/x.git\n'],
    ['a token in quotes', '[remote "o"]\n\turl = "https://S3CRET"@github.com/x.git\n'],
    ['a token over two lines', '[remote "o"]\n\turl = https://\\\nS3CRET@github.com/x.git\n'],
    ['a user with an @', '[remote "o"]\n\turl = https://ada@corp:S3CRET@example.com/x.git\n'],
    ['a password in a URL of SSH', '[remote "o"]\n\turl = ssh://ada:S3CRET@example.com/x\n'],
    ['a URL in another case', '[remote "o"]\n\tURL = HTTPS://S3CRET@github.com/x.git\n'],
    ['a URL to push to', '[remote "o"]\n\tpushurl = https://u:S3CRET@github.com/x.git\n'],
    [
      'a rewritten URL',
      '[url "https://u:S3CRET@github.com/"]\n\tinsteadOf = https://github.com/\n',
    ],
    ['a rewritten URL, the old way', '[url.https://u:S3CRET@github.com/]\n\tinsteadOf = gh:\n'],
    ['a rule of a URL with a user', '[http "https://u:S3CRET@example.com"]\n\tsslVerify = 0\n'],
    ['a proxy', '[http]\n\tproxy = http://u:S3CRET@proxy:3128\n'],
    ['a proxy without a scheme', '[http]\n\tproxy = ada:S3CRET@proxy:3128\n'],
    ['a proxy without a scheme, in quotes', '[http] proxy="ada:S3CRET@proxy:3128"\n'],
    ['a proxy with a slash in its password', '[http]\n\tproxy = ada:S3CRET/x@proxy:3128\n'],
    ['a token as the user of a proxy', '[http]\n\tproxy = S3CRET@proxy:3128\n'],
    ['a proxy of one remote', '[remote "o"]\n\tproxy = ada@corp:S3CRET@proxy\n'],
    ['a password in a short address', '[remote "o"]\n\turl = ada:S3CRET@example.com:x.git\n'],
    ['a rewritten short address', '[url "ada:S3CRET@example.com:"]\n\tinsteadOf = gh:\n'],
    ['a token in a query', '[remote "o"]\n\turl = https://a.b/x.git?private_token=S3CRET\n'],
    ['a key in a query', '[remote "o"]\n\turl = https://a.b/x.git?a=b&Api_Key=S3CRET\n'],
    ['a secret in a query', '[remote "o"]\n\turl = "https://a.b/x?client-secret=S3CRET&a"\n'],
    ['a signature in a query', '[remote "o"]\n\turl = https://a.b/x?X-Amz-Signature=S3CRET\n'],
    ['a query of a rewritten URL', '[url "https://a.b/?password=S3CRET"]\n\tinsteadOf = x\n'],
    ['a password for sshpass', '[core]\n\tsshCommand = sshpass -p S3CRET ssh\n'],
    ['a password right after its option', '[core]\n\tsshCommand = sshpass -v -pS3CRET ssh\n'],
    ['a password in a variable', '[core]\n\tsshCommand = SSHPASS=S3CRET sshpass -e ssh\n'],
    ['a password for plink', '[core]\n\tsshCommand = plink -pw S3CRET\n'],
    ['a password as an option', '[alias]\n\tx = !tool --password S3CRET --token=S3CRET\n'],
    ['a user of curl', '[alias]\n\tx = !curl -u ada:S3CRET https://a.b\n'],
    ['a URL of a submodule', '[submodule "x"]\n\turl = https://S3CRET@github.com/x\n'],
    [
      'a helper that knows a password',
      '[credential]\n\thelper = "!f() { echo username=a; echo password=S3CRET; }; f"\n',
    ],
    ['a credential of one host', '[credential "https://a.b"]\n\tusername = S3CRET\n'],
    ['a password of mail', '[sendemail]\n\tsmtpPass = S3CRET\n'],
    ['a token of a tool', '[github]\n\ttoken = S3CRET\n\toauth-token = S3CRET\n'],
    ['a header in an alias', "[alias]\n\tapi = !curl -H 'Authorization: Bearer S3CRET' x\n"],
    ['a credential store', 'https://ada:S3CRET@example.com\nhttps://x:S3CRET@github.com\n'],
  ])('leaves out %s', (_, text) => {
    const copy = hideGitCredentials(`${harmless}${text}\n[gc]\n\tauto = 0\n`);
    expect(copy).not.toContain('S3CRET');
    expect(copy).toContain(harmless);
    expect(copy).toContain('[gc]\n\tauto = 0\n');
  });

  it('keeps the rest of a section', () => {
    const text = '[http] extraheader = x\n\tsslVerify = true\n[a]\n\tb = c\n';
    expect(hideGitCredentials(text)).toBe('[http]\n\tsslVerify = true\n[a]\n\tb = c\n');
  });

  it('is made in little time of a text without end', () => {
    const cpuMs = startCpuClock();
    hideGitCredentials(`[a "${'\\'.repeat(200_000)}\nx = ${'https://'.repeat(30_000)}`);
    for (const part of ['-', 'a', ':', '@', 'a:', 'token', 'x-', '?key', ' -u', '-p ', 'sshpass '])
      hideGitCredentials(`x = ${part.repeat(200_000 / part.length)}\n`);
    hideGitCredentials(`${'token'.repeat(40_000)}\n`);
    expect(cpuMs()).toBeLessThan(2_000);
  });
});
