import type { Bench, CaseResult, Figure } from './case.ts';
import type { Layout } from './home.ts';

/** Measures a case in one layout of a home. */
export type MeasureLayout = (
  bench: Bench,
  layout: Layout,
) => Promise<{ figures: Figure[]; details: unknown }>;

/** The `run` of a case that measures several layouts in turn; the details are by layout. */
export function eachLayout(layouts: readonly Layout[], measure: MeasureLayout) {
  return async (bench: Bench): Promise<CaseResult> => {
    const figures: Figure[] = [];
    const details: Record<string, unknown> = {};
    for (const layout of layouts) {
      const measured = await measure(bench, layout);
      figures.push(...measured.figures);
      details[layout] = measured.details;
    }
    return { figures, details };
  };
}
