import type { Html, Words } from '../html.ts';
import { SCOPE_COPY, type Scope } from '../scope-copy.ts';
import { fieldset } from './field.ts';
import { tick, ticks } from './tick.ts';

export interface ScopeTicks {
  legend: string;
  hint?: string;
  /** Which can be chosen. */
  offered: readonly Scope[];
  ticked: readonly Scope[];
  error?: Words | undefined;
}

/** The permissions of an AI, each with its box: field `scope`, once for each that is ticked. */
export function scopeTicks({ legend, hint, offered, ticked, error }: ScopeTicks): Html {
  return fieldset(
    { id: 'scope', legend, hint, error },
    ticks(
      offered.map((scope) => {
        const { title, words, caution } = SCOPE_COPY[scope];
        return tick({
          name: 'scope',
          value: scope,
          label: title,
          hint: words,
          caution,
          ticked: ticked.includes(scope),
        });
      }),
    ),
  );
}
