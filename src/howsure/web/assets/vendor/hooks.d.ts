/** What the page uses of Preact's hooks. */
export function useState<T>(initial: T | (() => T)): [T, (next: T | ((now: T) => T)) => void];
export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useMemo<T>(make: () => T, inputs: readonly unknown[]): T;
export function useCallback<T>(callback: T, inputs: readonly unknown[]): T;
export function useErrorBoundary(callback?: (error: Error) => void): [Error | undefined, () => void];
export function useRef<T>(initial: T): { current: T };
