import { labelCard } from '../filters/dimensions.ts';
import { useSchema } from '../statistics.ts';
import { TopList } from './top-list.tsx';

/** The labels that the account has declared, if there are any. */
export function LabelList({ accessKey }: { readonly accessKey?: string }) {
  const { data } = useSchema();
  const card = labelCard(data?.dimensions.map(({ name }) => name) ?? []);
  if (card === undefined) return null;
  return <TopList card={card} {...(accessKey === undefined ? {} : { accessKey })} />;
}
