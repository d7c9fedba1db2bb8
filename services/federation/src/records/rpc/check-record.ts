import { type RecordsService, Verdict } from '@hearth/proto/federation/v1/records';
import type { UnaryHandler } from '@hearth/rpc';
import type { JsonObject } from '@hearth/signing';
import { claimsOf } from '../actions/claims.ts';
import { verifyOther } from '../actions/verify-other.ts';
import type { Context } from '../context.ts';

export const checkRecord =
  (context: Context): UnaryHandler<typeof RecordsService.method.checkRecord> =>
  async ({ record: json, home }) => {
    const record = JSON.parse(json) as JsonObject;
    const claims = { ...claimsOf(record), home };
    if (claims.typ !== 'svc-record+jws') return { verdict: Verdict.INVALID };
    const { verdict } = await verifyOther(context, record, claims, '');
    return { verdict };
  };
