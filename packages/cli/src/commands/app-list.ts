import { type App, pages } from '@hearth/sdk';
import type { Command } from '../command.ts';
import { table } from '../table.ts';

export const appList: Command = {
  name: 'app list',
  summary: 'list the apps of the home, the newest first',
  options: {},
  async run({ home, report }) {
    const apps: App[] = [];
    for await (const page of pages((input) => home.call('list_apps', input), { limit: 100 }))
      apps.push(...page.apps);
    report(apps, () =>
      apps.length === 0 ? 'There are no apps yet; make one with: npx hearth app create' : tell(apps),
    );
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
  ]);
  return table(['APP', 'NAME', 'CONTACT', 'UNDER 18', 'SINCE', 'WEBHOOK'], rows);
}
