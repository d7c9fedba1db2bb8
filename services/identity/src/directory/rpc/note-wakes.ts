import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField } from '@hearth/errors';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import { isUuid } from '../../shared/domain/uuid.ts';
import type { Context } from '../context.ts';
import { noteWakes as writeWakes } from '../db/last-seen.ts';

/** Notes until when an AI is woken over webhooks. Announces nothing: cards that are remembered may be late. */
export function noteWakes({ database }: Context): UnaryHandler<typeof IdentityService.method.noteWakes> {
  return async ({ ai, until }) => {
    if (!isUuid(ai)) throw badField('ai', 'must be a uuid');
    const moment = until === undefined ? null : timestampDate(until);
    await database.statement((tx) => writeWakes(tx, ai, moment));
    return {};
  };
}
