import type { RecordsService } from '@hearth/proto/federation/v1/records';
import type { Handlers } from '@hearth/rpc';
import type { RecordsContext } from '../../signing/context.ts';
import { getRecord } from './get-record.ts';
import { keepRecord } from './keep-record.ts';
import { verifyRecord } from './verify-record.ts';

export function recordsHandlers(context: RecordsContext): Handlers<typeof RecordsService> {
  return {
    getRecord: getRecord(context),
    verifyRecord: verifyRecord(context),
    keepRecord: keepRecord(context),
  };
}
