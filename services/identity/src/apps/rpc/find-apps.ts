import { nowDate } from '@hearth/clock';
import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { UnaryHandler } from '@hearth/rpc';
import { suspensionOf } from '../../shared/domain/suspension.ts';
import type { Context } from '../context.ts';
import { type AppRow, findApps as findRows } from '../db/apps.ts';

const most = 500;

/** Facts about apps for delivery. Their secrets stay sealed in transit. */
export const findApps =
  ({ clock, database, secrets }: Context): UnaryHandler<typeof AppsService.method.findApps> =>
  async ({ ids }) => {
    if (ids.length > most) throw badField('ids', `must be at most ${most}`);
    const rows = await findRows(database.db, [...new Set(ids.filter(isUuid))]);
    const now = nowDate(clock);
    const factsOf = ({ id, name, contactEmail, webhookUrl, eventTypes, ...app }: AppRow) => ({
      id,
      name,
      contactEmail,
      // Nothing is sent to a suspended app.
      webhookUrl: suspensionOf(app, now) === null ? (webhookUrl ?? '') : '',
      eventTypes,
      signingSecrets: secrets.sealedSecrets(app),
    });
    const byId = new Map(rows.map((app) => [app.id, factsOf(app)]));
    return { results: ids.map((id) => ({ facts: byId.get(id) })) };
  };
