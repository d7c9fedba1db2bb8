import { isHearthError } from '@hearth/errors';
import { isJsonObject, parseStrictJson } from '@hearth/signing';

/** The code of an error that another home answered; null where it says none. */
export function codeOf(body: Buffer): string | null {
  try {
    const value = parseStrictJson(body);
    const code = isJsonObject(value) ? value['code'] : null;
    return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : null;
  } catch (error) {
    if (isHearthError(error)) return null;
    throw error;
  }
}
