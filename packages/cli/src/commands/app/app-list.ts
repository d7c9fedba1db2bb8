import type { App } from '@hearth/sdk';
import type { Command } from '../../command.ts';
import { readPages } from '../../paged.ts';
import { table } from '../../table.ts';
import { minuteOf } from '../list-command.ts';

export const appList: Command = {
  name: 'app list',
  summary: 'List apps, newest first',
  options: {},
  async run({ home, report }) {
    const apps = await readPages(home, 'list_apps', 'apps', {}, Number.POSITIVE_INFINITY);
    report(apps, () => (apps.length === 0 ? 'No apps yet. Create one with: hearth app create' : tell(apps)));
  },
};

function tell(apps: readonly App[]): string {
  const rows = apps.map((app) => [
    app.id,
    app.name,
    app.contact_email,
    app.minors ? 'yes' : 'no',
    app.created_at.slice(0, 10),
    app.webhook_url ?? '-',
    minuteOf(app.suspended_until),
  ]);
  return table(['APP', 'NAME', 'CONTACT', 'UNDER 18', 'SINCE', 'WEBHOOK', 'SUSPENDED UNTIL'], rows);
}
