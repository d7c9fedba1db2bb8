import { toJson } from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import { isHearthError, notFound } from '@hearth/errors';
import { t } from '@hearth/i18n';
import { RecordsService } from '@hearth/proto/federation/v1/records';
import { RateClass } from '@hearth/proto/options';
import {
  isJsonObject,
  type JsonObject,
  maxRecordBytes,
  maxRecordValues,
  parseStrictJson,
} from '@hearth/signing';
import { type CheckedRecord, type CheckRecord, checkRecordPage, receiptPage, type Words } from '@hearth/web';
import {
  type Context,
  type FormRequest,
  frameWithZone,
  type PageAnswer,
  type PageRequest,
  shown,
} from '../pages/module.ts';
import { checkedRecord } from './record-view.ts';

/** The receipts of signed answers, for everyone with the link, and a page that verifies any receipt. */
export function addReceiptPages(context: Context): void {
  const { addPage } = context;
  addPage('receipt', '/r/:id', {
    async get(request) {
      const record = await findRecord(context, request);
      const [checked, frame] = await Promise.all([
        verify(context, request, record),
        frameWithZone(context, request),
      ]);
      return { html: receiptPage(frame, { record: checked, json: JSON.stringify(record, null, 2) }) };
    },
  });
  addPage('receipt_check', '/r', {
    // Verifying changes nothing.
    rate: RateClass.READ,
    // Form encoding can triple the length of each character.
    formBytes: 3 * maxRecordBytes,
    get: (request) => showCheck(context, request, {}),
    post: (request) => check(context, request),
  });
}

async function findRecord({ send }: Context, request: PageRequest): Promise<JsonObject> {
  const key = request.query.get('k');
  const wanted = { id: request.param('id'), ...(key !== null && { k: key }) };
  try {
    const struct = await send(RecordsService.method.getRecord, wanted, request.visit.caller);
    return toJson(StructSchema, struct) as JsonObject;
  } catch (error) {
    // A truncated link is not found, like any unknown link.
    if (isHearthError(error) && error.kind === 'bad_request') throw notFound();
    throw error;
  }
}

async function verify({ send }: Context, { visit }: PageRequest, record: JsonObject): Promise<CheckedRecord> {
  return checkedRecord(record, await send(RecordsService.method.verifyRecord, { record }, visit.caller));
}

async function check(context: Context, request: FormRequest): Promise<PageAnswer> {
  const pasted = (request.form.get('record') ?? '').trim();
  const again = (record: Words) => showCheck(context, request, { pasted, errors: { record } });
  if (pasted === '') return await again(t('receipt.paste-missing'));
  let record: unknown;
  try {
    record = parseStrictJson(pasted, { maxBytes: maxRecordBytes, maxValues: maxRecordValues });
  } catch (error) {
    if (!isHearthError(error)) throw error;
    return await again(t('receipt.not-receipt'));
  }
  if (!isJsonObject(record)) return await again(t('receipt.not-receipt'));
  return await showCheck(context, request, { pasted, record: await verify(context, request, record) });
}

async function showCheck(context: Context, request: PageRequest, model: CheckRecord): Promise<PageAnswer> {
  return shown(checkRecordPage(await frameWithZone(context, request), model), model);
}
