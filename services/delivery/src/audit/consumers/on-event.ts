import { english } from '@hearth/i18n';
import type { ReceivedEvent } from '@hearth/runtime';
import { audiences } from '../../events/module.ts';
import type { Context } from '../context.ts';
import { insertAudit } from '../db/audit.ts';

/** Writes the audit log entries of operator acts; idempotent, so a redelivered event adds none. */
export const onEvent =
  ({ database }: Pick<Context, 'database'>) =>
  async (events: ReceivedEvent[]): Promise<void> => {
    const rows = events.flatMap(({ event }) =>
      audiences.audit.drafts(event).map(({ by, ...draft }) => ({
        ...draft,
        summary: english.words(draft.summary),
        byOperator: by.operator,
        operator: by.operatorAddress,
      })),
    );
    if (rows.length > 0) await database.statement((tx) => insertAudit(tx, rows));
  };
