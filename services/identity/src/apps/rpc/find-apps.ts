import { badField } from '@hearth/errors';
import { isUuid } from '../../shared/domain/uuid.ts';
import type { AppsContext } from '../context.ts';
import { type AppRow, findApps as findRows } from '../db/apps.ts';
import type { AppsHandlers } from '../handlers.ts';

const most = 500;

/** What delivery needs to know of apps. Their secrets stay sealed on the way. */
export function findApps({ database, secrets }: AppsContext): AppsHandlers['findApps'] {
  return async ({ ids }) => {
    if (ids.length > most) throw badField('ids', `must be at most ${most}`);
    const rows = await findRows(database.db, [...new Set(ids.filter(isUuid))]);
    const byId = new Map(rows.map((app) => [app.id, app]));
    const factsOf = ({ id, name, contactEmail, webhookUrl, eventTypes, ...app }: AppRow) => ({
      id,
      name,
      contactEmail,
      webhookUrl: webhookUrl ?? '',
      eventTypes,
      signingSecrets: secrets.sealedSecrets(app),
    });
    return {
      results: ids.map((id) => {
        const app = byId.get(id);
        return app === undefined ? {} : { facts: factsOf(app) };
      }),
    };
  };
}
