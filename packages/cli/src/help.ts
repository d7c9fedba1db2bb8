import type { Command } from './command.ts';
import { commands, groups } from './commands/index.ts';

const common = `Global options:
  --json                 print the result as JSON
  --site <url>           URL of the home (default: HEARTH_SITE_URL, otherwise http://localhost:$PORT, with 8080 if PORT is unset)
  -h, --help             show this help

The operator key is read from HEARTH_OPERATOR_KEY, the file in HEARTH_OPERATOR_KEY_FILE, or operator.key in the data folder
(HEARTH_DATA, default ./data). Exit status: 0 on success, 1 on failure, 2 on invalid usage.`;

export function helpOfAll(): string {
  return `Operate a Hearth home: manage a running home, verify signed records, and back up and restore its database.

Usage: hearth <command> [options]

Commands:
${listed(commands)}

${common}

Run hearth <command> --help for details.`;
}

/** Lists the commands of a group; undefined if there are none. */
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
