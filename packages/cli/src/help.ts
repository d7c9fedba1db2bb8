import type { Command } from './command.ts';
import { commands, groups } from './commands/index.ts';

const common = `Everywhere:
  --json                 print what came out as JSON, for programs
  --site <url>           the home; HEARTH_SITE_URL when not given, or else this machine at PORT (8080), as beside a gateway apart
  -h, --help             these words

The operator's key comes from HEARTH_OPERATOR_KEY, from the file that HEARTH_OPERATOR_KEY_FILE names, or from operator.key
in the home's data folder (HEARTH_DATA, or ./data). The exit status is 0, 1 when it did not work, and 2 when the command
line is not understood.`;

/** All that the tool can do. */
export function helpOfAll(): string {
  return `The operator's tool of a Hearth home. It talks to a running home, verifies what homes signed, and backs up and restores a home.

Usage: hearth <command> [options]

Commands:
${listed(commands)}

${common}

hearth <command> --help tells more of each.`;
}

/** The commands that begin with that word; undefined when there are none. */
export function helpOfGroup(group: string): string | undefined {
  const ofGroup = commands.filter(({ name }) => name.startsWith(`${group} `));
  if (ofGroup.length === 0) return undefined;
  return `${groups[group] ?? group}.

Usage: hearth ${group} <command> [options]

Commands:
${listed(ofGroup)}

${common}`;
}

export function helpOf({ name, summary, usage, help }: Command): string {
  const use = ['Usage: hearth', name, usage].filter(Boolean).join(' ');
  return [`hearth ${name}: ${summary}.`, use, help, common].filter(Boolean).join('\n\n');
}

function listed(some: readonly Command[]): string {
  const width = Math.max(...some.map(({ name }) => name.length));
  return some.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n');
}
