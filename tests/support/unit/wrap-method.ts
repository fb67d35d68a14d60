type Method = (this: object, ...values: never[]) => unknown;
type Replacement = (call: () => unknown, self: object, values: unknown[]) => unknown;

/** Replaces a method of a prototype. The replacement gets the original call, its object and its arguments. */
export function wrapMethod(target: object, name: string, replacement: Replacement): void {
  const original = Reflect.get(target, name) as Method;
  Reflect.set(target, name, function (this: object, ...values: never[]) {
    return replacement(() => Reflect.apply(original, this, values), this, values);
  });
}
