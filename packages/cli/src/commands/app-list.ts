import type { Command } from '../command.ts';
import { table } from '../table.ts';
import type { App } from './app.ts';

interface Page {
  apps: App[];
  next_cursor: string | null;
}

const perPage = 100;

export const appList: Command = {
  name: 'app list',
  summary: 'list the apps of the home, the newest first',
  options: {},
  async run({ home, report }) {
    const apps: App[] = [];
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ limit: String(perPage), ...(cursor !== null && { cursor }) });
      const page: Page = await home.call<Page>('GET', `/v0/admin/apps?${query}`);
      apps.push(...page.apps);
      cursor = page.next_cursor;
    } while (cursor !== null);
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
