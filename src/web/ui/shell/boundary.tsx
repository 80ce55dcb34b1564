import { Component, type ReactNode } from 'react';
import { Failure } from '../parts/states.tsx';

interface BoundaryProps {
  /** The address of the page: another page is tried again. */
  readonly place: string;
  readonly children: ReactNode;
}

/** Shows an error of the page in its place; the frame around it stays. */
export class Boundary extends Component<BoundaryProps, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ place }: BoundaryProps): void {
    if (place !== this.props.place && 'error' in this.state) this.setState({ error: undefined });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <section className="card">
        <Failure
          error={`This page failed: ${error}`}
          retry={() => location.reload()}
          retryWord="Reload"
        />
      </section>
    );
  }
}
