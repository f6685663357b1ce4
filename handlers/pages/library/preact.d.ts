// What preact.js exports, as far as the pages use it, for tsc --checkJs.

export interface VNode { type: unknown; props: Record<string, any>; key: any }
export type Child = VNode | string | number | boolean | null | undefined | Child[];
export type Ref<T> = { current: T };
export type Component<P = any> = (props: P & { children?: any }) => Child;

export function html(strings: TemplateStringsArray, ...values: any[]): VNode;
export function h(type: unknown, props?: Record<string, any> | null, ...children: any[]): VNode;
export function render(tree: Child, parent: Element): void;
export function createContext<T>(initial: T): { Provider: Component<{ value: T }> };

export function useState<T>(initial: T | (() => T)): [T, (next: T | ((before: T) => T)) => void];
export function useReducer<S, A>(reducer: (state: S, action: A) => S, initial: S): [S, (action: A) => void];
export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useRef<T>(initial: T): Ref<T>;
export function useMemo<T>(make: () => T, inputs?: readonly unknown[]): T;
export function useCallback<T extends (...args: any[]) => any>(callback: T, inputs?: readonly unknown[]): T;
export function useContext<T>(context: { Provider: Component<{ value: T }> }): T;
export function useErrorBoundary(callback?: (error: any) => void): [any, () => void];
