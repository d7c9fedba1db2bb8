import type { IncomingMessage } from 'node:http';
import { badRequest } from '@hearth/errors';
import { readBytes, type WeighBody } from './read-body.ts';

const formType = /^application\/x-www-form-urlencoded\s*(;.*)?$/i;
const maxFields = 100;

/**
 * The fields of a submitted form. Throws `too_large` (413) above `maxBytes`, bad_request for another content
 * type or more than 100 fields.
 */
export async function readForm(
  request: IncomingMessage,
  maxBytes: number,
  weigh: WeighBody,
): Promise<URLSearchParams> {
  if (!formType.test(request.headers['content-type'] ?? ''))
    throw badRequest('send the form as a browser does: application/x-www-form-urlencoded', {
      code: 'bad_field',
    });
  const text = (await readBytes(request, maxBytes, weigh)).toString();
  // Splits no further than the bound: a body can contain tens of thousands of fields.
  const form = new URLSearchParams(text.split('&', maxFields + 1).join('&'));
  if (form.size > maxFields)
    throw badRequest(`the form holds more than ${maxFields} fields`, { code: 'bad_field' });
  return form;
}
