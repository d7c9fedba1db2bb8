import { beforeAll } from '@jest/globals';
import { ensureHelm, type Resource, render } from './render-chart.ts';

/** The files of deploy/helm/hearth/ci, without their extension. */
export const cases = ['split', 'single', 'production', 'keda'];

const rendered = new Map<string, Resource[]>();

/**
 * The resources that the chart renders from one of these files. All tests of a file share them, so treat them as
 * read-only.
 */
export function of(file: string): Resource[] {
  const known = rendered.get(file) ?? render({ file });
  rendered.set(file, known);
  return known;
}

/** If needed, Go builds helm from source before the first test. */
export const useHelm = () => beforeAll(ensureHelm, 900_000);
