import FileTree
import Testing

/// Work that several threads share out, in the order in which one would have done it.
@Suite struct ParallelBatchTests {
  @Test(arguments: [0, 1, 7, 8, 1000, 100_003], [1, 2, 5])
  func resultsAreInTheOrderOfTheThings(_ count: Int, _ workers: Int) {
    let results = ParallelBatch.map(count, inPiecesOf: 4, workers: workers) { range in
      #expect(range.count <= 4)
      return Array(range)
    }
    #expect(Array(results.joined()) == Array(0..<count))
  }
}
