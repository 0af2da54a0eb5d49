import Foundation
import MeshRadio
import PocketMeshUI
import Testing

@testable import PocketMeshServices

/// The cost of a picture, and the words for its delivery.
@Suite struct PictureCostTests {
    private func cost(hops: Int) -> PictureCost {
        PictureCost(
            ImagePlan(bytes: 2000, chunkBytes: 136, hops: hops, radio: LoRaParameters()), bytes: 2000)
    }

    @Test func `over repeaters the user is asked, with airtime and duration, and next door not`() throws {
        #expect(cost(hops: 0).question == nil)
        let question = try #require(cost(hops: 2).question)

        #expect(question.contains("2 hops") && question.contains("15 chunks"))
        #expect(cost(hops: 1).question?.contains("1 hop ") == true)
        #expect(cost(hops: 3).airtime > cost(hops: 1).airtime && cost(hops: 3).duration > cost(hops: 3).airtime)
    }

    @Test func `a picture arrives when the other app says so, and is not confirmed before`() {
        func status(_ status: MessageStatus, _ kind: MessageKind) -> DeliveryStatus {
            DeliveryStatus(
                MessageDTO(
                    id: UUID(), deviceID: UUID(), text: "", timestamp: 0, createdAt: Date(timeIntervalSince1970: 0),
                    direction: .outgoing, status: status, kind: kind))
        }

        #expect(status(.delivered, .image).label == "Arrived")
        #expect(status(.sent, .image).label == "Sent, not confirmed" && status(.sent, .image).kind == .sent)
        #expect(status(.sent, .text).label == "Sent" && status(.delivered, .text).label == "Acknowledged")
    }
}
