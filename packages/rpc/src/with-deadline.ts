import { HearthError } from '@hearth/errors';

export function deadlineExceeded(): HearthError {
  return new HearthError('deadline_exceeded', 'the home took too long to answer; try again in a moment', {
    code: 'unavailable',
  });
}

/** The outcome of `work`, or deadline_exceeded after that many milliseconds. */
export function withDeadline<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(deadlineExceeded()), Math.max(0, milliseconds));
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error as Error);
      },
    );
  });
}
